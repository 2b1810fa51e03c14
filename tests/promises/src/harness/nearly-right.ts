import fc from "fast-check";
import { largeJson } from "./large.js";

/** Changes a valid message: one or two members are replaced, added or removed. */
export function nearlyRight(messages: readonly object[]): fc.Arbitrary<unknown> {
  const mutation = fc.record({
    place: fc.noBias(fc.nat()),
    how: fc.constantFrom("replace" as const, "delete" as const, "add" as const),
    value: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(null, 5, -1, 1.5, "x", true, [], {}) },
      { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
      { weight: 2, arbitrary: largeJson },
    ),
  });
  return fc.tuple(fc.constantFrom(...messages), fc.array(mutation, { maxLength: 2 })).map(([message, mutations]) => {
    const copy = structuredClone(message);
    for (const { place, how, value } of mutations) {
      const places = placesIn(copy);
      const { parent, key } = places[place % places.length] as Place;
      if (how === "add") parent[`extra ${place % 3}`] = value;
      else if (how === "delete" && !Array.isArray(parent)) delete parent[key];
      else parent[key] = value;
    }
    return copy;
  });
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** Returns every member of a value, at any depth. */
function placesIn(value: object): Place[] {
  return Object.entries(value).flatMap(([key, member]) => [
    { parent: value as Record<string, unknown>, key },
    ...(typeof member === "object" && member !== null ? placesIn(member) : []),
  ]);
}
