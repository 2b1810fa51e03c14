// The fixture agent as a process of its own. The first argument holds its options.
import type { AgentOptions } from "@acp-kit/agent";
import { nodeTransport } from "@acp-kit/stdio/node";
import { startFixtureAgent } from "./fixture-agent.js";

const options = JSON.parse(process.argv[2] ?? "{}") as AgentOptions;
startFixtureAgent(nodeTransport(process.stdin, process.stdout), options);
