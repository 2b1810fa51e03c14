import { nodeTransport } from "@acp-kit/stdio/node";
import { createGateway } from "../src/index.js";
import { sqliteEngine } from "../src/node/index.js";
import { counterAgent } from "./counter-agent.js";

// A gateway for one client on stdio, with its agent in the same process. A test kills it at any moment.
const [, , path = ""] = process.argv;
const gateway = await createGateway({ engine: sqliteEngine({ path }), start: counterAgent() });
gateway.accept(nodeTransport(process.stdin, process.stdout), { tenant: "t", user: "u" });
