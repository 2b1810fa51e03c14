import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for `notice` updates. */
export const noticesRules: readonly Requirement[] = defineFeatureRules("notices", {
  "NOTICE-01 agent MUST NOT schema": {
    rule: "The agent sends no `notice` update unless `clientCapabilities.session.notices` is an object. It may send an agent message instead.",
    feature: null,
    spec: "schema Notice: Agents MUST only send notices when the Client advertised the `session.notices` Client capability.",
    brokenBy: ["CAP-20"],
    remedy: ifClientHas("notice updates", "session.notices is an object"),
  },
  "NOTICE-02 agent MUST schema, rfd": {
    rule: "The agent sends a `severity` and a non-empty plain-text `title` with a notice. The optional `description` is plain text.",
    spec: "schema Notice/properties/title: Required non-empty plain-text title that can stand alone.",
    remedy: "Send a severity and a non-empty title with every notice.",
  },
  "NOTICE-03 client FACT schema, rfd":
    "`severity` is an open enum: `info`, `warning`, `error`, custom values with a leading `_`, and future values. The client shows a notice with an unknown value in a generic way, and infers no behaviour from it.",
  "NOTICE-04 both FACT rfd": {
    rule: "A notice has no id and no acknowledgement, and cannot be updated or removed. Identical notices are separate events.",
    untested: { client: notVisible },
  },
  "NOTICE-05 agent SHOULD NOT rfd": "The agent does not send notices as part of a replay.",
  "NOTICE-06 agent MUST NOT rfd": {
    rule: "The agent does not rely on a notice for correctness, for a required action of the user, for authorisation, for completion or for fatal errors.",
    spec: "schema Notice: Agents must not rely on a notice being received, displayed, or seen by the user.",
    untested: { agent: "Whether a client has to rely on a notice depends on the meaning of its text." },
  },
  "NOTICE-07 agent FACT rfd":
    "A notice with the severity `error` does not make anything fail: it changes the state of no request, turn or session.",
  "NOTICE-08 client FACT rfd; review":
    "The client decides how and how long it shows notices, whether it combines them, and how the user dismisses them. It reports nothing of this to the agent.",
});
