import { EngineError } from "./engine-error.js";

const cursor = /^p([1-9a-z][0-9a-z]{0,10})$/;

/**
 * Creates the cursor of a page of the directory, which lists sessions in the order of their creation. The next page
 * starts after the session at this place in that order.
 */
export function directoryCursorOf(place: number): string {
  return `p${place.toString(36)}`;
}

/**
 * Returns the place in the list that a cursor of {@link directoryCursorOf} stands for. @throws {EngineError}
 * `bad_cursor` for any other text.
 */
export function directoryPlaceOf(text: string): number {
  const [, digits] = cursor.exec(text) ?? [];
  const place = digits === undefined ? Number.NaN : Number.parseInt(digits, 36);
  if (!Number.isSafeInteger(place))
    throw new EngineError("bad_cursor", "The cursor was not returned by a list of sessions");
  return place;
}
