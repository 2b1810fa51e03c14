import type { ContentBlock } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

const summary = ["We talked about features. ", "The agent showed them all."];

/** Shows a compaction of the context: the status `in_progress`, the summary in chunks, the status `completed`. */
export const compact: EverythingCommand = {
  name: "compact",
  description: "Compact the context and stream the summary; with `fail`, report a failed compaction",
  hint: "[fail]",
  needs: "clientCapabilities.session.compaction",
  async play(scene) {
    const compactionId = `compaction_${scene.session.turns}`;
    const { turn } = scene;
    await turn.compaction({ sessionUpdate: "compaction_update", compactionId, status: "in_progress" });
    await scene.step();
    if (scene.args === "fail") {
      const error = "The summary was longer than the conversation.";
      await turn.compaction({ sessionUpdate: "compaction_update", compactionId, status: "failed", error });
      return scene.sendText("The context could not be compacted.");
    }
    const blocks: ContentBlock[] = summary.map((text) => ({ type: "text", text }));
    for (const content of blocks) {
      await turn.compaction({ sessionUpdate: "compaction_summary_chunk", compactionId, content });
      await scene.step();
    }
    await turn.compaction({ sessionUpdate: "compaction_update", compactionId, status: "completed", summary: blocks });
    await turn.usage({ used: 1_000, size: 200_000 });
    await scene.sendText("The context has been compacted.");
  },
};
