import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for `session/delete`. */
export const sessionDeleteRules: readonly Requirement[] = defineFeatureRules("session/delete", {
  "DEL-01 client MUST NOT docs": {
    rule: "The client does not call `session/delete` without `sessionCapabilities.delete`.",
    feature: null,
    spec: "page session-delete#checking-support: If sessionCapabilities.delete is omitted or null, the Agent does not support deleting sessions and Clients MUST NOT attempt to call session/delete.",
    brokenBy: ["CAP-03"],
    remedy: ifAgentHas("session/delete", "sessionCapabilities.delete is an object"),
  },
  "DEL-02 agent FACT docs": {
    rule: "The agent responds to a successful `session/delete` with `{}`.",
    official: { "ACP-DELETE-001": "capability" },
  },
  "DEL-03 agent FACT docs": "After `session/delete`, the session no longer appears in `session/list`.",
  "DEL-04 agent SHOULD docs": {
    rule: "If the session is already deleted or never existed, `session/delete` succeeds silently.",
    official: { "ACP-DELETE-002": "advisory" },
  },
  "DEL-05 agent MAY docs":
    "The agent decides whether it deletes the data or only hides the session. It also decides about `session/load` of a deleted session, and about the deletion of an active session.",
});
