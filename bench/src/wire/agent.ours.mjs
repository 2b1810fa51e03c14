import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";
import { jobOf, peak, updateOf } from "./jobs.mjs";

// With the argument 2, the agent speaks version 2 of the protocol, too.
const versions = process.argv[2] === "2" ? [(await import("@acp-kit/v2/agent")).v2] : [];

const definition = {
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
};

await serveStdio(createAgent(definition, { versions }));
