// The fixture agent as a process of its own. The first argument holds its options, the second those of its transport.
import type { AgentOptions } from "@acp-kit/agent";
import { type ServeStdioOptions, serveStdio } from "@acp-kit/stdio/node";
import { startFixtureAgent } from "./fixture-agent.js";

const [agentOptions = "{}", transportOptions = "{}"] = process.argv.slice(2);
await serveStdio(
  { connect: (transport) => startFixtureAgent(transport, JSON.parse(agentOptions) as AgentOptions) },
  JSON.parse(transportOptions) as ServeStdioOptions,
);
