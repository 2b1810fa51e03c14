/** The maximum length of a line of a peer, in bytes. A longer line is discarded, and the connection ends without a verdict. */
export const MAX_LINE_BYTES = 67_108_864;

/** The maximum that a peer may write on one connection, in bytes, because a dialogue stores all of it. */
export const MAX_CONNECTION_BYTES = 268_435_456;

/** The maximum nesting of a message: validating and serializing a message uses recursion. */
export const MAX_LEVELS = 512;

/** Returns the reason why a connection whose peer wrote too much can't be judged. */
export function wroteTooMuch(what: "line" | "connection"): string {
  return what === "line"
    ? `the peer wrote a line of more than ${MAX_LINE_BYTES / 1_048_576} MiB`
    : `the peer wrote more than ${MAX_CONNECTION_BYTES / 1_048_576} MiB on one connection`;
}

/**
 * Empties each array and object of a parsed message at the deepest permitted level, so that the rest of the message is judged as usual.
 * Returns whether anything was removed. Has no recursion, because a deep value would overflow the stack.
 */
export function emptyBelow(value: unknown, maxLevels: number = MAX_LEVELS): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; depth < maxLevels && level.length > 0; depth++) {
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  const deepest = level.filter((each) => Object.values(each).some(isContainer));
  for (const each of deepest) {
    if (Array.isArray(each)) each.length = 0;
    else for (const name of Object.keys(each)) delete each[name];
  }
  return deepest.length > 0;
}

function isContainer(value: unknown): value is unknown[] | Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
