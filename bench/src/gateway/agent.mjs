// An agent that sends updates at a fixed rate, each with the time at which it was sent, to measure latencies.
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";
import { jobOf } from "../wire/jobs.mjs";

/** Returns microseconds of a clock that all processes of the machine share. */
const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

await serveStdio(
  createAgent({
    info: { name: "paced", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      const { count, everyMs } = jobOf(turn.prompt);
      const from = performance.now() + Math.random() * everyMs;
      for (let i = 0; i < count; i++) {
        const waitMs = from + i * everyMs - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        await turn.message(String(nowUs()).padEnd(40, " "));
      }
    },
  }),
);
