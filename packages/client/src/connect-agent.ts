import { Peer, type PeerOptions, type Transport, VersionError, v1Client } from "@acp-kit/protocol";
import { backlogOf, diagnosticReporter } from "@acp-kit/protocol/internal";
import { abortable } from "./abortable.js";
import { AgentConnection } from "./agent-connection.js";
import { AgentLink, type AgentSource, type Initialized } from "./agent-link.js";
import { AgentRequests, type AgentRequestsOptions } from "./agent-requests.js";
import { Login } from "./authentication/login.js";
import { checkConnectOptions } from "./check-connect-options.js";
import { clientCapabilities, featuresOf } from "./client-capabilities.js";
import type { ClientPeer } from "./client-peer.js";
import type { ConnectAgentOptions } from "./connect-options.js";
import { Dialects } from "./dialect/dialects.js";
import { tolerantRole } from "./dialect/tolerant-role.js";
import { bufferLimits } from "./limits.js";
import { OpenRequests } from "./open-requests.js";
import { PermissionBroker } from "./permissions/permission-broker.js";
import type { SessionClient } from "./session/session-client.js";
import { SessionOpener } from "./session/session-opener.js";
import { Sessions } from "./session/sessions.js";
import type { VersionConnection } from "./version.js";

/**
 * Connects to the agent at the other end of a transport and sends `initialize`.
 *
 * The connection owns the transport: if connecting fails, or when the connection is closed, the client closes the
 * transport, and the agent's process ends. With an {@link AgentSource} the connection outlives the agent's process:
 * when the process ends, running turns reject, and the next call starts the agent again, sends `initialize` and reopens
 * the session (with `session/resume` if possible, else with `session/load`, without replaying the history to
 * listeners).
 *
 * @throws {InvalidOptionError} when an option or handler is missing, misspelt or of the wrong type. The transport is
 * closed in this case, too.
 * @throws {VersionError} when the agent supports no protocol version of this client.
 * @throws {RpcError} when the agent refuses `initialize`.
 * @throws {ConnectionError} when the agent could not be reached, its process ended, or it did not respond in time;
 * `cause` is the error that caused it.
 * @see https://agentclientprotocol.com/protocol/v1/initialization
 * @example
 * ```ts
 * await using agent = await connectAgent(spawnAgent({ command, args }));
 * const session = await agent.newSession({ cwd: process.cwd() });
 * const { stopReason } = await session.prompt("Explain this").result;
 * ```
 */
export async function connectAgent(
  agent: Transport | PromiseLike<Transport> | AgentSource,
  options: ConnectAgentOptions = {},
): Promise<AgentConnection> {
  try {
    checkConnectOptions(agent, options);
  } catch (error) {
    await closeUnused(agent);
    throw error;
  }
  const { signal, mcp } = options;
  // All objects are created before the connection opens, because the agent can send any message before its response to
  // `initialize`.
  const report = diagnosticReporter(options.onDiagnostic);
  const { agent: source, forget } = mcp?.connect(agent, report) ?? { agent };
  const permissions = new PermissionBroker({
    rules: options.permissions ?? [],
    onDecision: options.onPermissionDecision,
    report,
  });
  const { routes, extendTranscript } = featuresOf(options);
  const sessions = new Sessions({ report, limits: bufferLimits });
  const router = routes?.(sessions, report) ?? sessions;
  const restarts = "open" in source;
  const open = async (): Promise<Transport> => {
    const opening = Promise.resolve(restarts ? source.open() : source);
    try {
      return await abortable(opening, signal);
    } catch (error) {
      if (signal?.aborted) void closeUnused(opening); // not awaited, because it may stay pending
      throw error;
    }
  };
  const link = new AgentLink({
    source: { open, close: async () => (restarts ? source.close() : undefined) },
    restarts,
    initialize: (transport) =>
      initialize(openPeer(transport, { options, report, sessions: router, permissions }), options),
  });
  const login = new Login(link, options.login);
  const client: SessionClient = {
    ...{ link, login, permissions, report },
    forget: (sessionId) => {
      sessions.forget(sessionId);
      forget?.(sessionId);
    },
    backlog: {
      add: (key, size) => backlogOf(link.current.peer.connection).add(key, size),
      remove: (key, size) => backlogOf(link.current.peer.connection).remove(key, size),
    },
    onUpdate: options.onUpdate,
    concurrentPrompts: options.concurrentPrompts ?? "queue",
    transcript: options.transcript ?? {},
    extendTranscript: extendTranscript ?? options.versions?.[0]?.extendTranscript,
    limits: bufferLimits,
    reapplyOptions: options.reapplyOptions ?? false,
  };
  const opener = new SessionOpener(client, sessions);

  const close = (): void => void link.close(signal?.reason);
  signal?.addEventListener("abort", close, { once: true });
  void link.closed.then(() => signal?.removeEventListener("abort", close));
  try {
    signal?.throwIfAborted();
    await link.connect();
    signal?.throwIfAborted();
    return new AgentConnection({ link, sessions, opener, login, permissions });
  } catch (error) {
    await link.close(error);
    if (!restarts) {
      const closing = closeUnused(source); // if the signal was already aborted, the link has not opened the transport
      if (!("then" in source && signal?.aborted)) await closing;
    }
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Closes a transport or source that can't be used, and ignores its errors. */
async function closeUnused(agent: Transport | PromiseLike<Transport> | AgentSource): Promise<void> {
  try {
    await ("then" in agent ? await agent : agent).close();
  } catch {}
}

/** The objects from which `openPeer` builds a connection. */
interface PeerParts extends Pick<AgentRequestsOptions, "sessions" | "permissions" | "report"> {
  readonly options: ConnectAgentOptions;
}

/** A connection before `initialize`, with the version that it may use instead of version 1. */
interface Opened extends Pick<Initialized, "peer" | "requests"> {
  readonly offered: VersionConnection | undefined;
}

/** Creates a connection and registers all handlers. The connection does not read messages before `listen` is called. */
function openPeer(transport: Transport, parts: PeerParts): Opened {
  const { options, report, sessions, permissions } = parts;
  const dialects = new Dialects(options.dialects ?? true, report);
  const agentGone = new AbortController();
  const role = tolerantRole(v1Client, dialects, { showsTerminals: options.terminals !== undefined });
  const offered = options.versions?.[0]?.connect(role, report);
  const { orderBy } = sessions;
  const peer: ClientPeer = new Peer(transport, offered?.role ?? role, {
    ...options.limits,
    ...peerOptions(options),
    ...(orderBy && { orderBy }),
    respondToMalformed: false, // agents print banners to stdout, which are reported but get no error response
    onPeerEnded: () => agentGone.abort(),
    onErrorWithoutId: dialects.allows("error-without-id")
      ? () => dialects.markNeeded("error-without-id", "")
      : undefined,
  });
  const requests = new OpenRequests(peer.connection.closed, (sessionId) => sessions.get(sessionId)?.sessionId);
  new AgentRequests({ peer, options, sessions, requests, permissions, report }).register(agentGone.signal);
  featuresOf(options).connect?.(peer);
  peer.handleNotification("session/update", (notification, size) =>
    sessions.receive(notification, size, offered?.isChosen ? offered : undefined),
  );
  return { peer, requests, offered };
}

/** Returns those options of the client that are options of its connection. */
function peerOptions(options: ConnectAgentOptions): PeerOptions {
  const { checkOutgoing, tap, tapSecrets, onDiagnostic } = options;
  return {
    checkOutgoing,
    tapSecrets,
    ...(tap && { tap }),
    ...(onDiagnostic && { onDiagnostic }),
  };
}

/** Sends `initialize`, the first message of every connection. Closes the connection if it fails. */
async function initialize({ peer, requests, offered }: Opened, options: ConnectAgentOptions): Promise<Initialized> {
  const { info, signal } = options;
  const close = (): void => void peer.connection.close({ reason: signal?.reason });
  signal?.addEventListener("abort", close, { once: true });
  try {
    signal?.throwIfAborted();
    peer.connection.listen();
    const params = {
      protocolVersion: v1Client.protocolVersion,
      clientCapabilities: clientCapabilities(options),
      ...(info && { clientInfo: info }),
    };
    const response = await (offered?.initialize(params, peer) ?? peer.request("initialize", params));
    const { protocolVersion, agentCapabilities } = response;
    const version = offered?.isChosen ? offered : undefined;
    if (version === undefined && protocolVersion !== v1Client.protocolVersion) {
      const supported = [...(options.versions ?? []), v1Client];
      throw new VersionError(
        protocolVersion,
        supported.map((each) => each.protocolVersion),
      );
    }
    peer.setAgreement({ protocolVersion, capabilities: agentCapabilities });
    return { peer, requests, response, version };
  } catch (error) {
    await peer.connection.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", close);
  }
}
