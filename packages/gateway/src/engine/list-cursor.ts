import { EngineError } from "./engine-error.js";

const cursor = /^p([1-9a-z][0-9a-z]{0,10})$/;

/** The cursor of a list that goes by the order of creation: behind the session with this place. */
export function directoryCursorOf(place: number): string {
  return `p${place.toString(36)}`;
}

/** @throws {EngineError} `bad_cursor` for a text that {@link directoryCursorOf} never returned. */
export function directoryPlaceOf(text: string): number {
  const [, digits] = cursor.exec(text) ?? [];
  const place = digits === undefined ? Number.NaN : Number.parseInt(digits, 36);
  if (!Number.isSafeInteger(place)) throw new EngineError("bad_cursor", "The cursor is not one that a list returned");
  return place;
}
