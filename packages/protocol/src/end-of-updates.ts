/** The requests of a client of version 1 whose response is the end of their updates. */
export const endOfUpdates: ReadonlySet<string> = new Set(["session/prompt", "session/load"]);
