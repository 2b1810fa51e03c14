/** The maximum length of a line of a peer, in bytes. A longer one is discarded, and the scenario inconclusive. */
export const MAX_LINE_BYTES = 67_108_864;

/** How many bytes a peer may write on one connection. The number is limited, because a dialogue stores everything. */
export const MAX_CONNECTION_BYTES = 268_435_456;

/** The maximum number of nested levels of a message, because validating and serializing it are recursive. */
export const MAX_LEVELS = 512;

/** Returns the reason why a scenario is inconclusive if the peer wrote too much. */
export function wroteTooMuch(what: "line" | "connection"): string {
  return what === "line"
    ? `the peer wrote a line of more than ${MAX_LINE_BYTES / 1_048_576} MiB`
    : `the peer wrote more than ${MAX_CONNECTION_BYTES / 1_048_576} MiB on one connection`;
}

/**
 * Limits a parsed message to `maxLevels` nested levels: empties each array and object at the deepest permitted level
 * that contains another array or object. The kit can then check the rest of the message. Returns whether anything was
 * removed. The function is not recursive, because a deep value would overflow the stack.
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
