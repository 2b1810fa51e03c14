import { definitionsOf, type Model } from "../normalize/model.js";
import { compareShapes } from "./compare-shapes.js";
import { type Comparison, type Pair, type Place, pairOf } from "./comparison.js";

/** Compares queued pairs until the queue is empty. A comparison may queue more pairs. */
export function compareQueued(comparison: Comparison): void {
  for (let pair = comparison.queue.shift(); pair !== undefined; pair = comparison.queue.shift()) {
    const a = comparison.before.shape(pair.before);
    const b = comparison.after.shape(pair.after);
    if (a !== undefined && b !== undefined) compareShapes(comparison, rootPlace(pair), a, b);
  }
}

export function rootPlace(pair: Pair): Place {
  return { pair, path: "", lenient: false, expanding: [] };
}

/**
 * Compares definitions that no method reaches, so that a report can mention them. They never affect the verdict.
 *
 * @returns the pairs found, without those that methods reach.
 */
export function compareUnreached(comparison: Comparison): readonly Pair[] {
  const reached = new Set(comparison.pairs.values());
  // The id and the error of an envelope were compared, but not its descriptions.
  const paired = new Set(
    [...reached].filter((pair) => !comparison.before.isEnvelope(pair.before)).map(({ before }) => before),
  );
  for (const name of comparison.before.names) {
    if (comparison.after.shape(name) === undefined || paired.has(name)) continue;
    if (comparison.before.isEnvelope(name) || comparison.after.isEnvelope(name)) compareDescriptions(comparison, name);
    else pairOf(comparison, name, name);
  }
  compareQueued(comparison);
  return [...comparison.pairs.values()].filter((pair) => !reached.has(pair));
}

/** Compares only the descriptions of an envelope, because JSON-RPC defines its form. */
function compareDescriptions(comparison: Comparison, name: string): void {
  const words = (model: Model): string => {
    const found: string[] = [];
    JSON.stringify(definitionsOf(model.document)[name], (key, value: unknown) => {
      if (key === "description" && typeof value === "string") found.push(value);
      return value;
    });
    return found.sort().join("\n");
  };
  const [before, after] = [words(comparison.before), words(comparison.after)];
  if (before === after) return;
  const pair: Pair = {
    before: name,
    after: name,
    differences: [],
    rewordings: [{ path: "", linksOnly: false, before, after }],
    links: [],
  };
  comparison.pairs.set(`words of ${name}`, pair);
}
