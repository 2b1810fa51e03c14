/** The position after a session in the order of creation, as clients get it: an opaque string. */
export function cursorOf(place: number): string {
  return `p${place.toString(36)}`;
}

/** @throws {RangeError} for a string that {@link cursorOf} did not create. */
export function placeOf(cursor: string): number {
  const place = /^p[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : Number.NaN;
  if (!Number.isSafeInteger(place) || cursorOf(place) !== cursor)
    throw new RangeError("This is not a cursor of a session list");
  return place;
}
