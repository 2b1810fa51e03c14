import { createGateway } from "../src/index.js";
import { serveGateway, sqliteEngine } from "../src/node/index.js";
import { counterAgent } from "./counter-agent.js";

// Serves a gateway at a URL, with its agent in the same process. It prints its port. A test kills it at any moment.
const [, , path = ""] = process.argv;
const gateway = await createGateway({
  engine: sqliteEngine({ path }),
  times: { leaseMs: 1_000 },
  start: counterAgent((text) => !/[13579]$/.test(text)), // every second turn still runs when the process is killed
});
const server = await serveGateway(gateway);
process.stdout.write(`${server.port}\n`);
