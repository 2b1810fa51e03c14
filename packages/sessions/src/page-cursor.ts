/**
 * Returns the cursor of the page that begins after a session. `place` is the number of the session in the order of
 * creation. For clients, the cursor is an opaque string.
 */
export function cursorOf(place: number): string {
  return `p${place.toString(36)}`;
}

/** Returns the number of the session in a cursor. Throws a `RangeError` if {@link cursorOf} did not create it. */
export function placeOf(cursor: string): number {
  const place = /^p[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : Number.NaN;
  if (!Number.isSafeInteger(place) || cursorOf(place) !== cursor)
    throw new RangeError("The string is not a cursor of a session list");
  return place;
}
