import type { PeerRole, V1ClientCalls } from "@acp-kit/protocol";
import type { Decoder } from "@acp-kit/types/decode";
import type { Dialects } from "./dialects.js";
import { readError } from "./error-dialects.js";
import { hearSession } from "./session-dialects.js";
import { UpdateDialects } from "./update-dialects.js";

/** A client that also understands what the rules name. Where no rule applies it is `role` itself. */
export function tolerantRole(
  role: PeerRole<V1ClientCalls>,
  dialects: Dialects,
  options: { readonly showsTerminals: boolean },
): PeerRole<V1ClientCalls> {
  if (dialects.isOff) return role;
  const { params, results } = role.decoders;
  const updates = new UpdateDialects(dialects, options.showsTerminals);
  const tolerant: { params: Record<string, Decoder<unknown>>; results: Record<string, Decoder<unknown>> } = {
    params: Object.assign(Object.create(null), params),
    results: Object.assign(Object.create(null), results),
  };
  const update = params["session/update"];
  if (update !== undefined) {
    tolerant.params["session/update"] = withTry(update, (value) => {
      const result = update.try(updates.before(value));
      if (result.ok) return result;
      const mended = updates.refused(value);
      return mended === undefined ? result : update.try(mended);
    });
  }
  for (const method of ["session/new", "session/load", "session/resume"]) {
    const decoder = results[method];
    if (decoder === undefined) continue;
    tolerant.results[method] = withTry(decoder, (value) => {
      hearSession(dialects, method, value);
      return decoder.try(value);
    });
  }
  return { ...role, decoders: tolerant, readError: (method, error) => readError(dialects, method, error) };
}

/** A decoder that tries another way. Connections read with `try` alone. */
function withTry<T>(decoder: Decoder<T>, attempt: Decoder<T>["try"]): Decoder<T> {
  return Object.assign((value: unknown): T => decoder(value), { try: attempt, "~standard": decoder["~standard"] });
}
