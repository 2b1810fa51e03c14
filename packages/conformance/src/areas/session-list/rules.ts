import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted } from "../../requirements/untested.js";

/** The rules for `session/list` and its pages. */
export const sessionListRules: readonly Requirement[] = defineFeatureRules("session/list", {
  "LIST-01 client MUST NOT docs": {
    rule: "The client does not call `session/list` without `sessionCapabilities.list`.",
    feature: null,
    spec: "page session-list#checking-support: If sessionCapabilities.list is not present, the Agent does not support listing sessions and Clients MUST NOT attempt to call session/list.",
    brokenBy: ["CAP-02"],
    remedy: ifAgentHas("session/list", "sessionCapabilities.list is an object"),
  },
  "LIST-02 both FACT docs, schema": {
    rule: "All params of `session/list` are optional: `cwd?: string|null` and `cursor?: string|null`. With `{}`, the agent returns the first page.",
    untested: { client: mainlyAgents },
  },
  "LIST-03 client MUST docs, schema": {
    rule: "The client sends an absolute path as the filter `cwd`.",
    spec: "schema ListSessionsRequest/properties/cwd: Filter sessions by working directory. Must be an absolute path.",
    remedy: "Send an absolute path as the cwd of session/list, or leave it out.",
  },
  "LIST-04 agent FACT docs": {
    rule: "With the filter `cwd`, the agent returns only sessions with that `cwd`.",
    official: { "ACP-LIST-002": "capability" },
  },
  "LIST-05 agent MUST docs": {
    rule: "The result of `session/list` always has the array `sessions`. It is `[]` if no session matches.",
    spec: "page session-list#listing-sessions: When no sessions match the criteria, the Agent MUST return an empty sessions array.",
    remedy: "Respond to session/list with an array in sessions; the array is empty if no session matches.",
    official: { "ACP-LIST-001": "capability", "ACP-LIST-002": "capability" },
  },
  "LIST-06 agent MUST schema": {
    rule: "Each `SessionInfo` of the agent has a `sessionId` and an absolute `cwd`. `title`, `updatedAt` (ISO 8601), `additionalDirectories` and `_meta` are optional.",
    spec: "schema SessionInfo/required",
    remedy: "Send a sessionId and an absolute cwd with every listed session.",
  },
  "LIST-07 client MUST docs": {
    rule: "The client ends the listing when `nextCursor` is missing or `null`.",
    spec: "page session-list#pagination: Clients MUST treat a missing nextCursor as the end of results",
    remedy: "Stop listing when nextCursor is missing or null.",
  },
  "LIST-08 client MUST docs": {
    rule: "The client treats cursors as opaque: it sends them back unchanged, does not parse them, and does not store them beyond the listing.",
    spec: "page session-list#pagination: Clients MUST treat cursors as opaque tokens — do not parse, modify, or persist them",
    remedy: "Send the cursor back unchanged.",
  },
  "LIST-09 both FACT rfd": "A cursor is a string, never a JSON object.",
  "LIST-10 agent SHOULD docs, later page":
    "The agent responds to an invalid cursor with an error. The newer page says `-32602`.",
  "LIST-11 agent SHOULD docs": "The agent limits the size of a page. The client cannot request a size.",
  "LIST-12 agent FACT docs": "`session/list` neither restores nor changes sessions.",
  "LIST-13 agent MUST rfd": {
    rule: "The agent lists only sessions of the authenticated client or user.",
    spec: "document docs/rfds/session-list.mdx@11cff553 rfds/session-list#security-considerations: Agents must ensure sessions are only listed for the authenticated client",
    untested: { agent: "It needs two users with different logins; a test has only one." },
  },
  "LIST-14 agent FACT rfd, derived":
    "If nothing changes between the requests, the pages together contain each matching session once. Later lists have the metadata that the agent sent with `session_info_update`.",
  "LIST-15 client FACT derived": {
    rule: "Version 1 specifies neither the order of the sessions nor whether the client has to send `cwd` again with a cursor. Clients should send the same filters with each cursor.",
    untested: { client: permitted },
  },
});
