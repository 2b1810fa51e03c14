import { createAgent } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { nodeTransport } from "@acp-kit/stdio/node";
import { createGateway } from "../src/index.js";
import { sqliteEngine } from "../src/node/index.js";

// A gateway for one client on stdio, with its agent in the same process. A test kills it at any moment.
const [, , path = ""] = process.argv;
const agent = createAgent({
  info: { name: "counter", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  loadSession: () => ({}),
  prompt: async (turn) => {
    for (let i = 0; i < 200; i++) {
      await turn.message(`${turn.text}#${i} `);
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  },
});
const gateway = await createGateway({
  engine: sqliteEngine({ path }),
  start: () => {
    const [ours, theirs] = linkedTransports();
    agent.connect(theirs);
    return ours;
  },
});
gateway.accept(nodeTransport(process.stdin, process.stdout), { tenant: "t", user: "u" });
