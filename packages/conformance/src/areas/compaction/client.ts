import { type ClientCheck, turnScenario } from "../../client/checks.js";
import { text } from "../../client/survives-updates.js";
import type { Json } from "../../wire/values.js";

/** The checks of clients: compaction. */
export const compactionClientChecks: readonly ClientCheck[] = [
  turnScenario("updates/compaction", ["COMPACT-11"], {
    title: "The client accepts compactions with unknown states, patches, and a chunk before the start",
    needs: ["clientCapabilities.session.compaction"],
    run: async (context, turn) => {
      const update = (more: Json): void =>
        turn.update({ sessionUpdate: "compaction_update", compactionId: "c1", ...more });
      turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c0", content: text("Too early") });
      update({ status: "in_progress" });
      update({ status: "simmering" });
      turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c1", content: text("In short") });
      update({ status: "completed", summary: [text("In short")] });
      update({ status: "completed", summary: null, error: null });
      await context.survived(turn, "COMPACT-11", "compactions in odd orders");
    },
  }),
];
