import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";
import { jobOf, peak, updateOf } from "./jobs.mjs";

const agent = createAgent({
  info: { name: "bench", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  setSessionMode: () => {},
  prompt: async (turn) => {
    const job = jobOf(turn.prompt);
    const update = updateOf(job);
    const before = peak();
    for (let i = 0; i < job.count; i++) {
      const sent = turn.update(update);
      if (!job.burst) await sent;
    }
    return { stopReason: "end_turn", _meta: { grown: peak() - before } };
  },
});

await serveStdio(agent);
