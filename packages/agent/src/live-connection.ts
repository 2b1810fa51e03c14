import {
  type ConnectionError,
  invalidParams,
  Peer,
  type PeerContext,
  RpcError,
  type Transport,
  v1Agent,
} from "@acp-kit/protocol";
import { diagnosticReporter, type Extensions, JsonRpcErrorCode, shorten } from "@acp-kit/protocol/internal";
import type {
  CancelNotification,
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializeResponse,
  RequestId,
  SessionConfigOption,
  SessionModeState,
} from "@acp-kit/types";
import { agentCapabilities, isTerminal, offeredAuthMethods } from "./agent-capabilities.js";
import { agentDefaults, MAX_EARLY_UPDATES } from "./agent-defaults.js";
import type { AgentContext, AgentDefinition } from "./agent-definition.js";
import type { AgentOptions } from "./agent-options.js";
import type { AgentPeer } from "./agent-peer.js";
import { AgentSessions } from "./agent-sessions.js";
import { assertAbsolute, assertPromptContent, assertSessionParams } from "./check-params.js";
import type { ClientConnection } from "./client-connection.js";
import { withoutBooleans } from "./config-options.js";
import { HandlerContext } from "./handler-context.js";
import { HandlerFailures } from "./handler-failures.js";
import { mapResult } from "./map-result.js";
import type { SessionChannel } from "./session-channel.js";
import type { SessionHandle } from "./session-handle.js";
import { type CreateBy, featuresOf } from "./unstable/agent-feature.js";
import type { AgentPort, AgentVersion, VersionedConnection } from "./version.js";

/** The implementation of {@link ClientConnection}, and what a version after 1 uses of it. */
export class LiveConnection implements ClientConnection, AgentPort {
  readonly closed: Promise<ConnectionError>;
  readonly peer: AgentPeer;
  readonly definition: AgentDefinition;
  readonly sessions: AgentSessions;
  readonly #failures: HandlerFailures;
  /** The sessions whose turn was cancelled when `session/cancel` arrived, while the message waits for its handler. */
  readonly #cancelledEarly = new Set<string>();
  readonly #session = (sessionId: string): SessionHandle => this.session(sessionId);
  readonly extensions: Extensions;
  readonly #later: AgentVersion | undefined;
  /** What belongs to a version after 1; `undefined` if the agent speaks only version 1, and before `initialize`. */
  #version: VersionedConnection | undefined;

  /**
   * The order of the statements matters: each object needs those created before it. No message arrives before `listen`
   * is called.
   */
  constructor(definition: AgentDefinition, options: AgentOptions, transport: Transport) {
    const {
      concurrentPrompts = "queue",
      cancelGraceMs = agentDefaults.cancelGraceMs,
      errorDetails = "hide",
      limits = {},
      versions,
      ...rest
    } = options;
    const { keepTurns = false, beforeUpdate, extensions } = definition;
    this.definition = definition;
    this.#later = versions?.[0];
    this.#failures = new HandlerFailures(diagnosticReporter(options.onDiagnostic), errorDetails);
    this.extensions = this.#failures.watchAll(extensions ?? {});
    const clientGone = new Set<() => void>();
    this.peer = new Peer(transport, v1Agent, {
      ...rest,
      cancelTimeoutMs: agentDefaults.cancelTimeoutMs,
      ...limits,
      extensions: this.extensions,
      onQueued: (method, params) => {
        if (method === "session/cancel") this.#cancel(params as CancelNotification, true);
      },
      onPeerEnded: () => {
        for (const listener of clientGone) listener();
      },
    });
    const sessions = new AgentSessions(
      this.peer,
      (turn) => definition.prompt(turn, { connection: this }),
      { concurrentPrompts, cancelGraceMs, keepTurns },
      {
        maxHeld: MAX_EARLY_UPDATES,
        beforeUpdate: beforeUpdate && ((params) => beforeUpdate(params, this)),
        versioned: (session) => this.#version?.session(session),
        strict: options.checkOutgoing !== undefined,
      },
    );
    this.sessions = sessions;
    this.closed = this.peer.connection.closed;
    this.#register();
    if (!keepTurns) {
      clientGone.add(() => sessions.cancelAll(() => new DOMException("The client disconnected", "AbortError")));
      void this.closed.then((reason) => sessions.cancelAll(() => reason));
    }
    this.peer.connection.listen();
  }

  get protocolVersion(): number | undefined {
    return this.peer.agreement?.protocolVersion;
  }

  get clientInfo(): Implementation | undefined {
    return this.peer.agreement?.info;
  }

  get clientCapabilities(): ClientCapabilities {
    return (this.peer.agreement?.capabilities ?? {}) as ClientCapabilities;
  }

  session(sessionId: string): SessionHandle {
    return this.sessions.handle(sessionId);
  }

  cancelTurn(sessionId: string, reason: unknown = new DOMException("The turn was cancelled", "AbortError")): void {
    this.sessions.find(sessionId)?.turns.cancel(reason);
  }

  async close({ drainTimeoutMs = 1_000 }: { readonly drainTimeoutMs?: number } = {}): Promise<void> {
    this.sessions.cancelAll(() => new DOMException("The agent is shutting down", "AbortError"));
    await this.#version?.idle(drainTimeoutMs);
    await this.peer.connection.close({ drainTimeoutMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #register(): void {
    const definition = this.definition;
    const sessions = this.sessions;
    const { peer } = this;
    const handle: AgentPeer["handle"] = (method, handler) =>
      peer.handle(method, this.#failures.watch(method, handler) as typeof handler);
    handle("initialize", (params, { id }) => this.#initialize(params, id));
    const createBy: CreateBy = (method, create, decode) =>
      handle(method as "session/new", async (given, context) => {
        const params = decode?.(given) ?? (given as Parameters<typeof create>[0]); // the peer has decoded stable params
        assertSessionParams(definition, params);
        const response = await create(params, this.#context(context));
        const { channel } = sessions.activate(response.sessionId);
        context.afterResponse(() => channel.open());
        return this.#opened(channel, params, response);
      });
    createBy("session/new", (params, context) => definition.newSession(params, context));
    featuresOf(definition).register?.(createBy);
    handle("session/prompt", (params, context) => {
      const session = sessions.active(params.sessionId);
      assertPromptContent(definition, params.prompt);
      return session.turns.run(params, context);
    });
    const cancel = (params: CancelNotification): void => this.#cancel(params);
    peer.handleNotification("session/cancel", cancel);
    // Some clients send `session/cancel` as a request and wait for a response. The schema has only the notification, so
    // the types don't allow this.
    peer.handle("session/cancel" as never, ((params: CancelNotification) => cancel(params)) as never);

    const { loadSession, resumeSession, closeSession, deleteSession, listSessions } = definition;
    if (loadSession) {
      handle("session/load", async (params, context) => {
        assertSessionParams(definition, params);
        return sessions.open(params.sessionId, async (history) => {
          history.open(); // the replayed history is sent before the response
          try {
            const response = (await loadSession(params, this.#context(context))) ?? {};
            await history.settled();
            const { channel } = sessions.activate(params.sessionId);
            channel.open();
            return this.#opened(channel, params, response);
          } catch (error) {
            // The load fails with the handler's error, and its updates are sent before the response.
            await history.settled()?.catch(() => {});
            throw error;
          }
        });
      });
    }
    if (resumeSession) {
      handle("session/resume", async (params, context) => {
        assertSessionParams(definition, params);
        return sessions.open(params.sessionId, async () => {
          const response = (await resumeSession(params, this.#context(context))) ?? {};
          const { channel } = sessions.activate(params.sessionId);
          context.afterResponse(() => channel.open());
          return this.#opened(channel, params, response);
        });
      });
    }
    if (closeSession) {
      handle("session/close", (params, context) =>
        sessions.close(
          sessions.active(params.sessionId),
          async () => (await closeSession(params, this.#context(context))) ?? {},
        ),
      );
    }
    if (deleteSession) {
      handle("session/delete", async (params, context) => {
        const remove = async () => (await deleteSession(params, this.#context(context))) ?? {};
        await sessions.find(params.sessionId)?.closing;
        const session = sessions.find(params.sessionId);
        if (session !== undefined) return sessions.close(session, remove);
        const response = await remove();
        sessions.forget(params.sessionId);
        return response;
      });
    }
    if (listSessions) {
      handle("session/list", (params, context) => {
        if (params.cwd != null) assertAbsolute(params.cwd, "cwd");
        return listSessions(params, this.#context(context));
      });
    }

    const { setSessionMode, setSessionConfigOption, authenticate, logout } = definition;
    if (setSessionMode) {
      handle("session/set_mode", (params, context) => {
        const { settings } = sessions.active(params.sessionId).channel;
        settings.assertMode(params.modeId);
        const before = settings.modeUpdates;
        return mapResult(setSessionMode(params, this.#context(context)), (response) => {
          // If the handler has sent another mode itself, that mode stays
          if (settings.modeUpdates === before) settings.setMode(params.modeId);
          return response ?? {};
        });
      });
    }
    if (setSessionConfigOption) {
      handle("session/set_config_option", (params, context) => {
        const { settings } = sessions.active(params.sessionId).channel;
        settings.assertValue(params);
        return mapResult(setSessionConfigOption(params, this.#context(context)), (result) => {
          // Read now, because another request may have changed an option meanwhile
          const response = result ?? { configOptions: settings.withValue(params) };
          settings.applyResponse(response);
          return { ...response, configOptions: withoutBooleans(peer, response.configOptions) };
        });
      });
    }
    if (authenticate) {
      handle("authenticate", async (params, context) => {
        const method = offeredAuthMethods(definition, this.clientCapabilities).find(({ id }) => id === params.methodId);
        if (method === undefined || isTerminal(method)) {
          throw invalidParams("Invalid params: methodId: authenticate does not accept this login method", {
            methodId: shorten(params.methodId),
          });
        }
        return (await authenticate(params, this.#context(context))) ?? {};
      });
    }
    if (logout) handle("logout", async (params, context) => (await logout(params, this.#context(context))) ?? {});
  }

  /**
   * Handles `session/cancel`. It is first called with `isQueued` if the message has arrived but waits for an earlier
   * handler of its session: then it cancels the prompts that have started, and the second call those that start later.
   */
  #cancel(params: CancelNotification, isQueued = false): void {
    const { sessionId } = params;
    const early = this.#cancelledEarly;
    const wasEarly = !isQueued && early.delete(sessionId);
    if (this.sessions.find(sessionId)?.turns.isBusy) {
      this.cancelTurn(sessionId);
      if (isQueued) early.add(sessionId);
    } else if (!isQueued && !wasEarly) this.definition.cancelElsewhere?.(params, { connection: this });
  }

  #initialize(params: InitializeRequest, id: RequestId): InitializeResponse {
    if (this.peer.agreement !== undefined)
      throw new RpcError(JsonRpcErrorCode.invalidRequest, "initialize was already called on this connection");
    const { clientCapabilities, clientInfo } = params;
    const capabilities = agentCapabilities(this.definition);
    const version = this.#later?.connect(this, params, capabilities, id);
    this.#version = version;
    if (version?.response) return version.response as InitializeResponse;
    const { protocolVersion } = v1Agent;
    this.peer.setAgreement({ protocolVersion, capabilities: clientCapabilities, info: clientInfo ?? undefined });
    return {
      protocolVersion,
      agentCapabilities: capabilities,
      agentInfo: this.definition.info,
      authMethods: offeredAuthMethods(this.definition, clientCapabilities),
    };
  }

  #opened<Response extends { modes?: SessionModeState | null; configOptions?: SessionConfigOption[] | null }>(
    channel: SessionChannel,
    params: object,
    response: Response,
  ): Response {
    channel.settings.systemPrompt = featuresOf(this.definition).systemPromptOf?.(params);
    channel.settings.applyResponse(response);
    const { configOptions } = response;
    return configOptions ? { ...response, configOptions: withoutBooleans(this.peer, configOptions) } : response;
  }

  #context(request: PeerContext): AgentContext {
    return new HandlerContext(request, this, this.#session);
  }
}
