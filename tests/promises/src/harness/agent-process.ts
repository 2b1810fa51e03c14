// The fixture agent as a process of its own. The first argument holds its options, the second those of its transport.
import type { AgentOptions } from "@acp-kit/agent";
import { type NodeTransportOptions, nodeTransport } from "@acp-kit/stdio/node";
import { startFixtureAgent } from "./fixture-agent.js";

const [agentOptions = "{}", transportOptions = "{}"] = process.argv.slice(2);
const transport = nodeTransport(process.stdin, process.stdout, JSON.parse(transportOptions) as NodeTransportOptions);
startFixtureAgent(transport, JSON.parse(agentOptions) as AgentOptions);
