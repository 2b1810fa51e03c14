import * as fc from "fast-check";

/** Values with up to three changes each, most of which make a valid value invalid. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const mutations = fc.array(fc.record({ place: fc.nat(), kind: fc.nat(), material: fc.nat() }), { maxLength: 3 });
  return fc.tuple(values, mutations).map(([value, changes]) =>
    // A copy, because fast-check keeps the value for shrinking.
    changes.reduce(mutate, JSON.parse(JSON.stringify(value)) as unknown),
  );
}

interface Mutation {
  /** The index of the place in the value, modulo the number of places. */
  readonly place: number;
  readonly kind: number;
  readonly material: number;
}

/** The JSON texts that replace parts of valid messages. */
const materials: readonly string[] = [
  ...["null", "true", "false", "0", "1", "-1", "1.5", "65536", "4294967296", "1099511627776", "9007199254740992"],
  ...["-1e300", '""', '"x"', '"text"', '"terminal"', '"string"', '"http"', '"boolean"', '"_vendor/tag"'],
  ...['"2026-01-01T00:00:00Z"', '"2026-02-30T00:00:00Z"', '"https://example.com"', '"not a uri"'],
  ...["[]", "{}", "[null]", "[1]", '["x"]', "[{}]", "[[]]", '{"type":"text"}', '{"type":"boolean"}', '{"_meta":1}'],
  ...['{"a":{"b":1}}', '{"length":1}', '{"__proto__":{"type":"text","sessionId":"s"}}', '{"text":"a","uri":"b:c"}'],
];

/** Members that select an alternative of a union. Mutations put them where they do not belong. */
const telling = ["type", "sessionId", "requestId", "state", "stopReason", "anyOf", "text", "blob", "value", "_meta"];

function mutate(value: unknown, { place, kind, material }: Mutation): unknown {
  const places = placesOf(value);
  const { holder, key } = places[place % places.length] ?? {};
  const copy = JSON.parse(materials[material % materials.length] ?? "null") as unknown;
  if (holder === undefined || key === undefined) return copy;
  if (Array.isArray(holder)) mutateItem(holder, Number(key), kind, copy);
  else mutateMember(holder, key, kind, copy);
  return value;
}

function mutateItem(holder: unknown[], index: number, kind: number, copy: unknown): void {
  switch (kind % 4) {
    case 0:
      holder[index] = copy;
      break;
    case 1:
      holder.splice(index, 0, copy);
      break;
    case 2:
      holder.splice(index, 1);
      break;
    default:
      holder[index] = [holder[index]];
  }
}

function mutateMember(holder: Record<string, unknown>, key: string, kind: number, copy: unknown): void {
  switch (kind % 9) {
    case 0:
    case 1:
      delete holder[key];
      break;
    case 2:
      holder[key] = null;
      break;
    case 3:
      holder[key] = [holder[key]];
      break;
    case 4:
      define(holder, "__proto__", copy);
      break;
    case 5:
      holder[`${key}s`] = holder[key];
      delete holder[key];
      break;
    case 6:
      define(holder, telling[kind % telling.length] ?? key, copy);
      break;
    default:
      define(holder, key, copy);
  }
}

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

/**
 * Returns every member and item of the value, at any depth. The recursion fills one list, because copying lists at
 * every depth is quadratic.
 */
function placesOf(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return places;
  for (const [key, inner] of Object.entries(value)) {
    places.push({ holder: value as Place["holder"], key });
    placesOf(inner, places);
  }
  return places;
}

/** Defines a member as `JSON.parse` does: `__proto__` becomes a normal member. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
