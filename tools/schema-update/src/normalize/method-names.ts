import { isObject, type JsonObject } from "./json.js";
import { stemOf } from "./payload-lists.js";

/** A wire name with the side that handles it. */
export interface WireName {
  readonly side: string;
  readonly name: string;
}

/** Returns the method names of a `meta.json`; none for any other value. */
export function metaNames(meta: JsonObject | undefined): readonly WireName[] {
  const sides = { agent: "agentMethods", client: "clientMethods", both: "protocolMethods", proxy: "proxyMethods" };
  return Object.entries(sides).flatMap(([side, key]) => {
    const table = meta?.[key];
    if (!isObject(table)) return [];
    return Object.values(table).flatMap((name) => (typeof name === "string" ? [{ side, name }] : []));
  });
}

/**
 * Finds the definition of each name: `terminal/wait_for_exit` is `WaitForTerminalExitRequest`. The most similar pairs are matched first,
 * and every name and every definition is used once.
 *
 * @returns definition → name.
 */
export function matchNames(
  names: readonly WireName[],
  definitions: readonly { readonly side: string; readonly definition: string }[],
): ReadonlyMap<string, string> {
  const candidates = names
    .flatMap(({ side, name }) =>
      definitions
        .filter((one) => one.side === side || one.side === "both" || side === "both")
        .map(({ definition }) => ({
          name,
          definition,
          likeness: likeness(wordsIn(name), wordsIn(stemOf(definition))),
        })),
    )
    .filter((one) => one.likeness >= 0.5)
    .sort((a, b) => b.likeness - a.likeness);
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, definition } of candidates) {
    if (found.has(definition) || taken.has(name)) continue;
    found.set(definition, name);
    taken.add(name);
  }
  return found;
}

/** Splits a name into words: `terminal/wait_for_exit`, `WaitForTerminalExit`. */
export function wordsIn(name: string): ReadonlySet<string> {
  return new Set(
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ""),
  );
}

/** Returns the share of words that two names have in common. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / new Set([...a, ...b]).size;
}
