import { Peer, type Transport, VersionError, v1Client } from "@acp-kit/protocol";
import { AgentConnection } from "./agent-connection.js";
import { AgentRequests } from "./agent-requests.js";
import { clientCapabilities } from "./client-capabilities.js";
import type { ClientPeer } from "./client-peer.js";
import type { ConnectOptions } from "./connect-options.js";
import { clientDefaults } from "./limits.js";
import { SessionRegistry } from "./session-registry.js";

/** What {@link connectAgent} takes beside the options of the connection. */
export interface ConnectAgentOptions extends ConnectOptions {
  /** What to do with a prompt while a turn of its session runs: send it after, or refuse it. Default `queue`. */
  readonly concurrentPrompts?: "queue" | "reject";
}

/**
 * Connects to the agent at the other end of a transport and initializes it.
 *
 * The connection owns the transport: when this fails, or the connection is closed, the transport is closed, and with it the process
 * behind it.
 *
 * @throws {VersionError} when the agent speaks no version that this client speaks.
 * @throws {RpcError} when the agent refuses `initialize`.
 * @throws {ConnectionError} when the agent could not be reached, died, or did not answer in time; the reason is the `cause`.
 * @see https://agentclientprotocol.com/protocol/v1/initialization
 * @example (filled from `./connect-agent.examples.ts#connectAgent_basic`, which is compiled)
 */
export async function connectAgent(
  transport: Transport | PromiseLike<Transport>,
  options: ConnectAgentOptions = {},
): Promise<AgentConnection> {
  const { signal, onUpdate, concurrentPrompts = "queue" } = options;
  const { deadlines, checkOutgoing, tap, tapSecrets, onDiagnostic, extensions } = options;
  const { maxEarlyUpdates, maxUnheardUpdates, maxUnreadUpdates, ...limits } = { ...clientDefaults, ...options.limits };
  const peer: ClientPeer = new Peer(await transport, v1Client, {
    answerMalformed: false, // agents print banners: report them, don't answer them
    onPeerEnded: () => requests.cancelAll(),
    ...limits,
    tapSecrets,
    ...(deadlines && { deadlines }),
    ...(checkOutgoing && { checkOutgoing }),
    ...(tap && { tap }),
    ...(onDiagnostic && { onDiagnostic }),
    ...(extensions && { extensions }),
  });
  const sessions: SessionRegistry = new SessionRegistry({
    peer,
    onUpdate,
    concurrentPrompts,
    limits: { maxEarlyUpdates, maxUnheardUpdates, maxUnreadUpdates },
    cancelled: (sessionId) => requests.cancel(sessionId),
    forget: (sessionId) => sessions.forget(sessionId),
  });
  const requests: AgentRequests = new AgentRequests(peer, options, sessions);
  peer.hear("session/update", (notification, size) => sessions.receive(notification, size));

  const close = (): void => void peer.connection.close({ reason: signal?.reason });
  signal?.addEventListener("abort", close, { once: true });
  void peer.connection.closed.then(() => signal?.removeEventListener("abort", close));
  try {
    signal?.throwIfAborted();
    peer.connection.listen();
    const response = await peer.request("initialize", {
      protocolVersion: v1Client.protocolVersion,
      clientCapabilities: clientCapabilities(options),
      ...(options.info && { clientInfo: options.info }),
    });
    const { protocolVersion } = response;
    if (protocolVersion !== v1Client.protocolVersion)
      throw new VersionError(protocolVersion, [v1Client.protocolVersion]);
    peer.agree({ protocolVersion, capabilities: response.agentCapabilities });
    return new AgentConnection(peer, sessions, response);
  } catch (error) {
    await peer.connection.close();
    throw signal?.aborted ? signal.reason : error;
  }
}
