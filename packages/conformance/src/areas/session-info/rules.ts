import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, notVisible } from "../../requirements/untested.js";

/** The rules for `session_info_update`, which changes the metadata of a session. */
export const sessionInfoRules: readonly Requirement[] = defineRules({
  "INFO-01 agent MAY docs":
    "The agent may send `session_info_update` at any time for a session, typically after the first exchange to set a title. The update does not depend on the capability `list`.",
  "INFO-02 both FACT docs, schema": {
    rule: "`session_info_update` is a partial update of `title`, `updatedAt` and `_meta`: an omitted member stays unchanged, `null` clears it, and a value replaces it.",
    untested: { client: notVisible },
  },
  "INFO-03 agent FACT docs":
    "The update never contains `sessionId`, `cwd` or `additionalDirectories`. `cwd` cannot change, and the id is in `params`.",
  "INFO-04 both FACT docs": { rule: "`updatedAt` is a date and time in ISO 8601.", untested: { client: mainlyAgents } },
  "INFO-05 client FACT rfd": {
    rule: "The client applies updates in the order in which it receives them.",
    untested: { client: notVisible },
  },
  "INFO-06 client SHOULD rfd; review":
    "The client handles long titles gracefully. For agents, the RFD recommends at most about 500 characters.",
});
