import { createAgent } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { createGateway } from "../src/index.js";
import { serveGateway, sqliteEngine } from "../src/node/index.js";

// Serves a gateway at a URL, with its agent in the same process. It prints its port. A test kills it at any moment.
const [, , path = ""] = process.argv;
const agent = createAgent({
  info: { name: "counter", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  loadSession: () => ({}),
  prompt: async (turn) => {
    for (let i = 0; i < 200; i++) {
      await turn.message(`${turn.text}#${i} `);
      // Every second turn still runs when the process is killed
      if (i === 180 && /[13579]$/.test(turn.text)) await new Promise(() => {});
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  },
});
const gateway = await createGateway({
  engine: sqliteEngine({ path }),
  times: { leaseMs: 1_000 },
  start: () => {
    const [ours, theirs] = linkedTransports();
    agent.connect(theirs);
    return ours;
  },
});
const server = await serveGateway(gateway);
process.stdout.write(`${server.port}\n`);
