import type { Transport } from "@acp-kit/jsonrpc";
import { bridgeTransports } from "../wire/bridge.js";
import type { ServedAgent } from "./served-agent.js";

/**
 * Creates an agent that forwards each connection to a transport: `serveHttp(relayAgent(() => spawnAgent({ command })))`
 * serves a stdio agent at a URL, with one process for each connection.
 *
 * The server calls `open` for each connection. The connection owns the transport: when the connection ends, it closes the transport.
 */
export function relayAgent(open: () => Transport): ServedAgent {
  return {
    connect(transport, { onDiagnostic } = {}) {
      return bridgeTransports(transport, open(), {
        onMalformed: ({ message, ...input }) => onDiagnostic?.({ code: "malformed_input", message, data: input }),
      });
    },
  };
}
