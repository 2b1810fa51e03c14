// Whoever compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import {
  type ConnectionError,
  type ExtensionName,
  hasCapability,
  type RequestOptions,
  type StandardSchema,
} from "@acp-kit/protocol";
import type { AgentCapabilities, Implementation, IncomingAuthMethod, SessionInfo } from "@acp-kit/schema";
import type { AgentLink } from "./agent-link.js";
import type { ClientPeer } from "./client-peer.js";
import type { UpdateListener } from "./connect-options.js";
import { isNotFound } from "./errors.js";
import type { PermissionBroker } from "./permissions/permission-broker.js";
import type { PermissionDecision } from "./permissions/permission-decision.js";
import type { Session, SessionOrigin, SessionState } from "./session.js";
import { type SessionSetup, sessionParams } from "./session-params.js";
import type { SessionRegistry } from "./session-registry.js";

/** How a session is opened. */
export interface OpenOptions {
  /** Hears the session's updates from the first one on: its history when it is loaded, and what comes before the response. */
  readonly onUpdate?: UpdateListener;
  readonly signal?: AbortSignal;
}

/** Which sessions to list. */
export interface ListOptions {
  /** Only those that work in this absolute path. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** An agent that is connected and initialized. Made by `connectAgent`. */
export class AgentConnection {
  /** Resolves with the reason when the connection has ended for good; never rejects. */
  readonly closed: Promise<ConnectionError>;
  readonly #link: AgentLink;
  readonly #sessions: SessionRegistry;
  readonly #permissions: PermissionBroker;

  /** @internal */
  constructor(link: AgentLink, sessions: SessionRegistry, permissions: PermissionBroker) {
    this.#link = link;
    this.#sessions = sessions;
    this.#permissions = permissions;
    this.closed = link.closed;
  }

  /** The protocol connection underneath, for taps and for methods that this package has no word for. A restart makes a new one. */
  get peer(): ClientPeer {
    return this.#link.current.peer;
  }

  get protocolVersion(): number {
    return this.#link.current.response.protocolVersion;
  }

  /** What the agent calls itself. */
  get info(): Implementation | undefined {
    return this.#link.current.response.agentInfo ?? undefined;
  }

  /** What the agent advertised. */
  get capabilities(): AgentCapabilities {
    return this.#link.current.response.agentCapabilities ?? {};
  }

  /** Its ways to log in. Unknown kinds are kept, typed as unknown. */
  get authMethods(): readonly IncomingAuthMethod[] {
    return this.#link.current.response.authMethods ?? [];
  }

  /** What was decided about permissions, the oldest first, as far as it is kept. An immutable snapshot. */
  get permissionDecisions(): readonly PermissionDecision[] {
    return this.#permissions.decisions;
  }

  /** `disconnected`: the agent died, and whatever is called next starts it again. `closed`: for good. */
  get state(): "initialized" | "disconnected" | "closed" {
    return this.#link.state;
  }

  /** Whether the agent advertised a capability, by its path: `agentCapabilities.loadSession`. */
  offers(capability: string): boolean {
    return hasCapability(this.capabilities, capability);
  }

  /** The open session with this id. */
  session(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  /** The open sessions. */
  get sessions(): readonly Session[] {
    return this.#sessions.all();
  }

  /** Starts a conversation. An agent that wants a login first answers an error for which `isAuthRequired` holds. */
  newSession(setup: SessionSetup, options: OpenOptions = {}): Promise<Session> {
    return this.#sessions.opening(async () => {
      await this.#link.ready();
      const params = sessionParams(this.peer, "session/new", setup);
      const response = await this.peer.request("session/new", params, signalOf(options));
      return this.#opened("new", response.sessionId, setup, response, options);
    });
  }

  /**
   * Opens a session of before and has its history told again, as updates with `replayed: true`; all of it has been told when this resolves.
   *
   * @throws {CapabilityError} when the agent can't.
   */
  loadSession(
    { sessionId, ...setup }: SessionSetup & { readonly sessionId: string },
    options: OpenOptions = {},
  ): Promise<Session> {
    return this.#sessions.opening(async () => {
      await this.#link.ready();
      const params = { sessionId, ...sessionParams(this.peer, "session/load", setup) };
      const known = this.#sessions.get(sessionId) !== undefined;
      const control = this.#sessions.open(sessionId);
      if (!known) this.#sessions.remember(sessionId, setup, this.#link.generation); // the agent may ask for files meanwhile
      const stop = options.onUpdate && control.session.onUpdate(options.onUpdate);
      control.catchUp();
      control.replaying("listeners");
      try {
        const response = await this.peer.request("session/load", params, signalOf(options));
        control.opened("loaded", response);
        this.#sessions.remember(sessionId, setup, this.#link.generation);
        return control.session;
      } catch (error) {
        stop?.();
        if (!known) this.#sessions.forget(sessionId);
        throw error;
      } finally {
        control.replaying(undefined);
      }
    });
  }

  /**
   * Opens a session of before without its history.
   *
   * @throws {CapabilityError} when the agent can't.
   */
  resumeSession(
    { sessionId, ...setup }: SessionSetup & { readonly sessionId: string },
    options: OpenOptions = {},
  ): Promise<Session> {
    return this.#sessions.opening(async () => {
      await this.#link.ready();
      const params = { sessionId, ...sessionParams(this.peer, "session/resume", setup) };
      const response = await this.peer.request("session/resume", params, signalOf(options));
      return this.#opened("resumed", sessionId, setup, response, options);
    });
  }

  /** Resumes the session if the agent can, else loads it, else starts a new one: `session.origin` says which. */
  openSession(
    { sessionId, ...setup }: SessionSetup & { readonly sessionId?: string | undefined },
    options: OpenOptions = {},
  ): Promise<Session> {
    if (sessionId === undefined) return this.newSession(setup, options);
    if (this.offers("agentCapabilities.sessionCapabilities.resume"))
      return this.resumeSession({ sessionId, ...setup }, options);
    if (this.offers("agentCapabilities.loadSession")) return this.loadSession({ sessionId, ...setup }, options);
    return this.newSession(setup, options);
  }

  /**
   * The sessions the agent has, page by page as they are read.
   *
   * @throws {CapabilityError} when the agent has no list.
   */
  async *listSessions({ cwd, signal }: ListOptions = {}): AsyncGenerator<SessionInfo, void, undefined> {
    await this.#link.ready();
    let cursor: string | undefined;
    do {
      const params = { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) };
      const page = await this.peer.request("session/list", params, signal && { signal });
      yield* page.sessions;
      const next = page.nextCursor ?? undefined;
      if (next !== undefined && next === cursor)
        throw new Error("session/list: the agent answered the same cursor again");
      cursor = next;
    } while (cursor !== undefined);
  }

  /** Removes a session from the agent's list. What isn't there is deleted. */
  async deleteSession(sessionId: string): Promise<void> {
    await this.#link.ready();
    try {
      await this.peer.request("session/delete", { sessionId });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /**
   * Logs in by one of {@link authMethods}. Terminal methods are not for this: run the agent's command with their `args` and `env` in a
   * terminal, then connect again.
   *
   * @see https://agentclientprotocol.com/protocol/v1/authentication
   */
  async authenticate(methodId: string): Promise<void> {
    await this.#link.ready();
    const method = this.authMethods.find(({ id }) => id === methodId);
    if (method === undefined) throw new TypeError(`The agent has no way to log in called "${methodId}"`);
    if ("type" in method && method.type === "terminal") {
      throw new TypeError(`"${methodId}" is run in a terminal, not by authenticate()`);
    }
    await this.peer.request("authenticate", { methodId });
  }

  /**
   * Ends the login.
   *
   * @throws {CapabilityError} when the agent can't.
   */
  async logout(): Promise<void> {
    await this.#link.ready();
    await this.peer.request("logout", {});
  }

  /** Sends an extension request. `result` reads the answer; without it the answer is `unknown`. */
  async extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: Pick<RequestOptions, "signal" | "timeoutMs"> & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    await this.#link.ready();
    return this.peer.extensionRequest(method, params, options);
  }

  /** Sends an extension notification. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    return this.peer.extensionNotify(method, params);
  }

  /** Ends the connection and with it the transport: an agent that was spawned ends too. Idempotent; never rejects. */
  close(): Promise<void> {
    return this.#link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #opened(
    origin: SessionOrigin,
    sessionId: string,
    setup: SessionSetup,
    state: SessionState,
    { onUpdate }: OpenOptions,
  ): Session {
    const control = this.#sessions.open(sessionId);
    control.opened(origin, state);
    this.#sessions.remember(sessionId, setup, this.#link.generation);
    if (onUpdate !== undefined) control.session.onUpdate(onUpdate);
    control.catchUp();
    return control.session;
  }
}

function signalOf({ signal }: OpenOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
