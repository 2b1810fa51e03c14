import { isJsonObject } from "@acp-kit/jsonrpc/internal";

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

export const isObject: (value: unknown) => value is JsonObject = isJsonObject;

/** A type whose members are neither `undefined` nor `null`, and may be absent. */
export type Present<Members extends object> = { [Name in keyof Members]?: NonNullable<Members[Name]> };

/** Returns a copy of an object without the members that are `undefined` or `null`. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<Members>;
}

/** Returns the items of a list with a conversion that may leave items out, by returning `undefined`. */
export function mapped<Item, Result>(items: readonly Item[], convert: (item: Item) => Result | undefined): Result[] {
  const results: Result[] = [];
  for (const item of items) {
    const result = convert(item);
    if (result !== undefined) results.push(result);
  }
  return results;
}
