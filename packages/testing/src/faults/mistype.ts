import type { Random } from "../random.js";
import { isRecordable } from "../recording/recordable.js";

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
  readonly path: string;
}

const oddities: readonly unknown[] = [null, 5, -1, 1.5, "odd", "", true, [], {}, [[]], { odd: true }];

/**
 * Replaces, adds or removes one value in the `params`, `result` or `error` of a message; with `anywhere`, one value in
 * the whole message. Returns the changed copy, and a text that describes the change.
 */
export function mistype(
  message: unknown,
  random: Random,
  { anywhere = false }: { readonly anywhere?: boolean | undefined } = {},
): { readonly value: unknown; readonly detail: string } {
  // A value that is nested too deep can't be copied.
  if (!isRecordable(message)) return { value: message, detail: "nothing: it is nested too deep" };
  const value: unknown = JSON.parse(JSON.stringify(message));
  const all = placesIn(value as object, "");
  const body = all.filter(({ path }) => /^(params|result|error)\b/.test(path));
  const { parent, key, path } = random.pick(anywhere || body.length === 0 ? all : body);
  const how = random.pick(["replace", "replace", "delete", "add"] as const);
  const odd = random.pick(oddities);
  if (how === "delete" && !Array.isArray(parent)) {
    delete parent[key];
    return { value, detail: `${path} is missing` };
  }
  if (how === "add" && path.includes(".") && !Array.isArray(parent)) {
    parent._odd = odd;
    return { value, detail: `${path.slice(0, path.lastIndexOf(".") + 1)}_odd is ${JSON.stringify(odd)}` };
  }
  parent[key] = odd;
  return { value, detail: `${path} is ${JSON.stringify(odd)}` };
}

function placesIn(value: object, above: string): Place[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const path = Array.isArray(value) ? `${above}[${key}]` : above === "" ? key : `${above}.${key}`;
    const place = { parent: value as Record<string, unknown>, key, path };
    return [place, ...(typeof member === "object" && member !== null ? placesIn(member, path) : [])];
  });
}
