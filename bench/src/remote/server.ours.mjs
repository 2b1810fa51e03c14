import { createAgent } from "@acp-kit/agent";
import { serveHttp } from "@acp-kit/http/node";
import { jobOf, updateOf } from "../wire/jobs.mjs";

/** The agent of the report behind the server of acp-kit. One principal opens all connections of a measurement. */
export async function serve() {
  const agent = createAgent({
    info: { name: "bench", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    setSessionMode: () => {},
    prompt: async (turn) => {
      const job = jobOf(turn.prompt);
      const update = updateOf(job);
      for (let i = 0; i < job.count; i++) await turn.update(update);
      return "end_turn";
    },
  });
  return (await serveHttp(agent, { limits: { maxConnectionsPerPrincipal: 10_000 } })).port;
}
