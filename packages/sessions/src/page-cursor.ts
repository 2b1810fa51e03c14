/** Returns the cursor of the position after a session, in the order of creation: an opaque string for clients. */
export function cursorOf(place: number): string {
  return `p${place.toString(36)}`;
}

/** Returns the position in a cursor. Throws a `RangeError` for a string that {@link cursorOf} did not create. */
export function placeOf(cursor: string): number {
  const place = /^p[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : Number.NaN;
  if (!Number.isSafeInteger(place) || cursorOf(place) !== cursor)
    throw new RangeError("The string is not a cursor of a session list");
  return place;
}
