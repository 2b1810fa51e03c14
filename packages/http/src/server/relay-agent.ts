import type { Transport } from "@acp-kit/jsonrpc";
import { bridgeTransports } from "../wire/bridge.js";
import type { ServedAgent } from "./served-agent.js";

/**
 * Serves an agent at the other end of a transport: `serveHttp(relayAgent(() => spawnAgent({ command })))` puts an agent that only knows standard input
 * and output behind a URL, with a process for each connection.
 *
 * `open` is called for each connection. The transport belongs to the connection, which closes it at its end.
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
