import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { bySchema, withoutRfd } from "../../requirements/specification.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for updates about the compaction of the context. */
export const compactionRules: readonly Requirement[] = defineFeatureRules("compaction", {
  "COMPACT-01 agent MUST NOT schema": {
    rule: "The agent sends neither `compaction_update` nor `compaction_summary_chunk` unless `clientCapabilities.session.compaction` is an object.",
    feature: null,
    spec: "schema CompactionUpdate: Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.",
    brokenBy: ["CAP-21"],
    remedy: ifClientHas("compaction updates", "session.compaction is an object"),
  },
  "COMPACT-02 agent MUST schema, rfd": {
    rule: "The agent sends a `compactionId` that is a non-null string, unique in the session, and never reused.",
    spec: "schema CompactionUpdate/properties/compactionId: The Agent-owned ID of this compaction, unique within the session.",
    remedy: "Create a new compactionId for each compaction of the session.",
  },
  "COMPACT-03 agent MUST schema, rfd": {
    rule: "The agent sends `status` with every `compaction_update`: `in_progress`, `completed`, `failed` or `cancelled`. The enum is open.",
    spec: "schema CompactionUpdate/required",
    remedy: "Send the status with every compaction_update.",
  },
  "COMPACT-04 agent MUST rfd": {
    rule: "After `in_progress`, the agent sends exactly one final status, unless the session or the connection ends. A final status may be the first update, in a replay or if the runtime does not report the start.",
    spec: bySchema("CompactionStatus", withoutRfd),
  },
  "COMPACT-05 both FACT rfd": {
    rule: "The first update determines the position in the timeline. Later updates change the entry at that position.",
    untested: { client: notVisible },
  },
  "COMPACT-06 agent MUST rfd": {
    rule: "The agent sends `compaction_summary_chunk` only after `in_progress` and before the final status. If the client receives a chunk first, it still creates a compaction in progress.",
    spec: bySchema("CompactionSummaryChunk", withoutRfd),
  },
  "COMPACT-07 client FACT schema, rfd": {
    rule: "`summary`, `error` and `_meta` are partial updates: an omitted member stays unchanged, `null` clears it, and a value replaces it. `summary:[]` also clears the summary.",
    untested: { client: notVisible },
  },
  "COMPACT-08 agent FACT rfd":
    "The agent sends a non-empty `summary` only with `completed`, and `error` only with `failed`.",
  "COMPACT-09 client FACT rfd": {
    rule: "The client appends chunks to the summary. A later `summary` with a value replaces all accumulated text; if `completed` has no `summary`, the client keeps the chunks.",
    untested: { client: notVisible },
  },
  "COMPACT-10 agent FACT rfd; review":
    "The summary is text that the user may see, without internal prompts. The agent omits it if it is not safe to show.",
  "COMPACT-11 client FACT rfd":
    "The client keeps an unknown status and shows it in a generic way. It infers no lifecycle from it.",
});
