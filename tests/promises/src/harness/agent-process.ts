// The fixture agent as a program. Its arguments are the agent's options and the transport's options.
import type { AgentOptions } from "@acp-kit/agent";
import { type ServeStdioOptions, serveStdio } from "@acp-kit/stdio/node";
import { startFixtureAgent } from "./fixture-agent.js";

const [agentOptions = "{}", transportOptions = "{}"] = process.argv.slice(2);
await serveStdio(
  { connect: (transport) => startFixtureAgent(transport, JSON.parse(agentOptions) as AgentOptions) },
  JSON.parse(transportOptions) as ServeStdioOptions,
);
