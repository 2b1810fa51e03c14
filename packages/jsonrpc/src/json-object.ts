/** A JSON object that was not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
