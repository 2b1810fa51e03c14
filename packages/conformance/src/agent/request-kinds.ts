import { NO_WORK } from "../pace.js";
import { entryOf } from "../wire/values.js";

/** Methods whose duration differs so much between agents that only methods of the same kind are comparable. */
const kinds: Readonly<Record<string, string>> = {
  initialize: "initialize",
  authenticate: "authenticate",
  "session/new": "open a session",
  "session/load": "open a session",
  "session/resume": "open a session",
  "session/prompt": "turn",
};

/** Returns the kind of a request to the agent, whose response times are comparable. */
export function kindOfRequest(method: string): string {
  return entryOf(kinds, method) ?? NO_WORK;
}
