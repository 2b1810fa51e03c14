import { Connection, type ConnectionOptions, type Diagnostic, linkedTransports } from "../src/index.js";
import type { LinkedTransportOptions } from "../src/linked-transports.js";
import { ManualTransport } from "./manual-transport.js";

/** As in ACP: the messages of one session share a lane. */
export const bySession = (_method: string, params: unknown): string | undefined =>
  (params as { sessionId?: string } | undefined)?.sessionId;

/** Creates a connection over a {@link ManualTransport}; it is not listening yet. */
export function manual(options: ConnectionOptions = {}): {
  connection: Connection;
  transport: ManualTransport;
  diagnostics: Diagnostic[];
} {
  const transport = new ManualTransport();
  const diagnostics: Diagnostic[] = [];
  const connection = new Connection(transport, { onDiagnostic: (it) => diagnostics.push(it), ...options });
  return { connection, transport, diagnostics };
}

/** Creates two linked connections; they are not listening yet. */
export function pair(
  options: ConnectionOptions & LinkedTransportOptions & { peer?: ConnectionOptions } = {},
): [Connection, Connection] {
  const { serialize, peer, ...rest } = options;
  const [a, b] = linkedTransports(serialize === undefined ? {} : { serialize });
  return [new Connection(a, rest), new Connection(b, peer ?? rest)];
}
