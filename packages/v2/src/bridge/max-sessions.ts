/** The number of sessions of one connection that the bridge remembers. */
export const MAX_SESSIONS = 10_000;
