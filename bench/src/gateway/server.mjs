// A gateway process between the stdio of a client and the stdio of an agent.
import { nodeTransport } from "@acp-kit/stdio/node";
import { ann, gatewayOf, processOf } from "./parts.mjs";

// With a version of the agent, the gateway knows version 2, too.
const [engine, script, optionsText, version] = process.argv.slice(2);
const versions = version === undefined ? [] : [(await import("@acp-kit/v2/gateway")).v2];
const start = processOf(script, ...(version === undefined ? [] : [version]));
const gateway = await gatewayOf(engine, start, { ...JSON.parse(optionsText), versions });
const { closed } = gateway.accept(nodeTransport(process.stdin, process.stdout), ann);
await closed;
await gateway.close();
process.exit(0);
