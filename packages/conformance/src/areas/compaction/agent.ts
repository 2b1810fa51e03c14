import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { asText, shown } from "../../wire/values.js";

/** The statuses that end a compaction. The enum is open, so no other status ends one, except by its own definition. */
const finalStatuses: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

/** The statuses of the protocol. The rules say nothing about the members of an update with another status. */
const knownStatuses: ReadonlySet<unknown> = new Set(["in_progress", ...finalStatuses]);

/** The checks of agents: compaction. */
export const compactionAgentChecks: readonly AgentCheck[] = [
  tourStop("compaction", ["COMPACT-03"], "may report that it compacts its context", "compaction_update"),
  schemaWatch(
    "compaction",
    ["COMPACT-02", "COMPACT-03"],
    "Compactions match the schema",
    update("compaction_update", "compaction_summary_chunk"),
  ),
  agentWatch("watch/compaction-order", ["COMPACT-02", "COMPACT-04", "COMPACT-06", "COMPACT-08"], {
    title: "A compaction begins, streams its summary, and ends once",
    check(conversation, { countEntry, wrong }) {
      const last = new Map<string, { seq: number; status: unknown }>();
      for (const { seq, sessionId, tag, update, replay } of updatesIn(conversation)) {
        if (!tag.startsWith("compaction_") || replay) continue;
        countEntry();
        const key = `${sessionId} ${asText(update.compactionId)}`;
        const before = last.get(key);
        const ended = before !== undefined && finalStatuses.has(before.status);
        if (tag === "compaction_summary_chunk") {
          if (before === undefined || ended) {
            wrong("COMPACT-06", [...(before ? [before.seq] : []), seq], shown(update));
          }
          continue;
        }
        if (ended) {
          const [rule, text] =
            update.status === "in_progress"
              ? ["COMPACT-02", "A compactionId is never used again for another compaction of the session."]
              : ["COMPACT-04", "A compaction begins with in_progress and ends exactly once."];
          wrong(rule, [before.seq, seq], shown(update), text);
        }
        if (knownStatuses.has(update.status)) {
          const hasSummary = Array.isArray(update.summary) && update.summary.length > 0;
          if (hasSummary && update.status !== "completed")
            wrong("COMPACT-08", [seq], shown(update), "Only a completed compaction has a summary.");
          if (update.error !== undefined && update.error !== null && update.status !== "failed")
            wrong("COMPACT-08", [seq], shown(update), "Only a failed compaction has an error.");
        }
        last.set(key, { seq, status: update.status });
      }
    },
  }),
];
