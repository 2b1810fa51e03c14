// An agent that never stops sending: a number in each chunk, and a tool call now and then. `node program.mjs FILE`.
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";
import { sqliteStore } from "../src/node/sqlite-store.js";
import { withSessions } from "../src/with-sessions.js";

const [, , path = ""] = process.argv;
const agent = createAgent(
  withSessions(
    {
      info: { name: "crashing", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async (turn) => {
        if (turn.text !== "go") return void (await turn.message("back again"));
        for (let i = 0; ; i++) {
          await turn.message(`${i} `);
          if (i % 10 === 0) await turn.toolCall({ toolCallId: `call-${i}`, title: `Call ${i}` }).start();
          if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      },
    },
    sqliteStore({ path }),
  ),
);

await serveStdio(agent);
