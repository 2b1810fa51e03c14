// The everything agent in a web worker. Like the page, it does not need Node.
import { everythingAgent } from "@acp-kit/everything-agent";
import { type Port, portTransport } from "@acp-kit/example-own-transport/port-transport";

everythingAgent({ paceMs: 0 }).connect(portTransport(self as unknown as Port));
