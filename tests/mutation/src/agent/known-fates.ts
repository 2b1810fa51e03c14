import type { Known } from "../score.js";

/** The rules whose mutants no finding names, each with the reason. */
export const knownFates: Readonly<Record<string, Known>> = {
  "INIT-10": {
    fate: "survived",
    because:
      "Version 2 has no method of clients that version 1 lacks. A method of no version at all is RPC-20, which is advice: the pages only show it.",
  },
  "TERM-13": {
    fate: "survived",
    because: "The agent decides how long it needs a terminal. A terminal that it does not release soon is advice.",
  },
};
