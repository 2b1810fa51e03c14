// #region agent
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";

const agent = createAgent({
  info: { name: "smallest-agent", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn) => {
    await turn.message(`You said: ${turn.text}`);
  },
});

await serveStdio(agent);
// #endregion agent
