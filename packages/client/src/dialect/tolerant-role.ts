import type { PeerRole, V1ClientCalls } from "@acp-kit/protocol";
import type { Decoder } from "@acp-kit/types/decode";
import type { Dialects } from "./dialects.js";
import { readError } from "./error-dialects.js";
import { checkSessionResponse, readOptionResponse } from "./session-dialects.js";
import { UpdateDialects } from "./update-dialects.js";

/**
 * Returns a copy of `role` whose decoders apply the compatibility rules, or `role` itself if the rules are turned off.
 */
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
      const repaired = updates.refused(value);
      return repaired === undefined ? result : update.try(repaired);
    });
  }
  for (const method of ["session/new", "session/load", "session/resume"]) {
    const decoder = results[method];
    if (decoder === undefined) continue;
    tolerant.results[method] = withTry(decoder, (value) => {
      checkSessionResponse(dialects, method, value);
      return decoder.try(value);
    });
  }
  const optionMethod = "session/set_config_option";
  const setOption = results[optionMethod];
  if (setOption !== undefined && dialects.allows("option-response")) {
    tolerant.results[optionMethod] = withTry(setOption, (value) => {
      const response = readOptionResponse(dialects, optionMethod, value);
      return response === undefined ? { ok: true, value: {}, salvaged: [] } : setOption.try(response);
    });
  }
  return { ...role, decoders: tolerant, readError: (method, error) => readError(dialects, method, error) };
}

/** Returns a copy of a decoder with another `try`. Connections use no other method of a decoder. */
function withTry<T>(decoder: Decoder<T>, attempt: Decoder<T>["try"]): Decoder<T> {
  return Object.assign((value: unknown): T => decoder(value), { try: attempt, "~standard": decoder["~standard"] });
}
