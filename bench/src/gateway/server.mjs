// A gateway process between the stdio of a client and the stdio of an agent.
import { nodeTransport } from "@acp-kit/stdio/node";
import { ann, gatewayOf, processOf } from "./parts.mjs";

const [engine, script, optionsText] = process.argv.slice(2);
const gateway = await gatewayOf(engine, processOf(script), JSON.parse(optionsText));
const { closed } = gateway.accept(nodeTransport(process.stdin, process.stdout), ann);
await closed;
await gateway.close();
process.exit(0);
