import type { Transport } from "@acp-kit/jsonrpc";
import { bridgeTransports } from "../wire/bridge.js";
import type { ServedAgent } from "./served-agent.js";

/**
 * Creates an agent that forwards each connection to a transport: `serveHttp(relayAgent(() => spawnAgent({ command })))`
 * serves a stdio agent at a URL, with one process for each connection.
 *
 * The server calls `open` for each connection. The connection owns the transport: when the connection ends, it closes
 * the transport. If the transport fails, for example because the command does not exist, the server's `onDiagnostic`
 * receives `transport_failed`.
 */
export function relayAgent(open: () => Transport): ServedAgent {
  return {
    connect(transport, { onDiagnostic } = {}) {
      const agent = open();
      return bridgeTransports(transport, agent, {
        onFailed(failed, cause) {
          if (failed !== agent) return; // a client may disconnect at any time
          const message = "The transport to the agent failed, and the connection to the client was closed";
          onDiagnostic?.({ code: "transport_failed", message, cause });
        },
        onMalformed: ({ message, ...input }) => onDiagnostic?.({ code: "malformed_input", message, data: input }),
      });
    },
  };
}
