import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";

await serveStdio(
  createAgent({
    info: { name: "echo", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    loadSession: () => ({}),
    prompt: async (turn) => {
      for (const word of turn.text.split(" ")) await turn.message(`${word} `);
    },
  }),
);
