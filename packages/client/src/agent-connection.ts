// An application that compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import {
  ConnectionError,
  type ExtensionName,
  hasCapability,
  type RequestOptions,
  type StandardSchema,
} from "@acp-kit/protocol";
import type { AgentCapabilities, Implementation, SessionInfo } from "@acp-kit/types";
import type { AgentLink } from "./agent-link.js";
import type { Login } from "./authentication/login.js";
import type { LoginMethod } from "./authentication/login-method.js";
import type { ClientPeer } from "./client-peer.js";
import { isNotFound } from "./errors.js";
import type { PermissionBroker } from "./permissions/permission-broker.js";
import type { PermissionDecision } from "./permissions/permission-decision.js";
import type { Session } from "./session.js";
import type { SessionRegistry } from "./session-registry.js";
import type { OpenOptions, OpenSessionOptions, SessionOpener } from "./sessions/session-opener.js";
import type { SessionSetup } from "./sessions/session-params.js";

/** Which sessions to list. */
export interface ListOptions {
  /** Only sessions whose working directory is this absolute path. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** The parts of an {@link AgentConnection}. */
export interface AgentConnectionParts {
  readonly link: AgentLink;
  readonly sessions: SessionRegistry;
  readonly opener: SessionOpener;
  readonly login: Login;
  readonly permissions: PermissionBroker;
}

/** An agent that is connected and initialized. Created by `connectAgent`. */
export class AgentConnection {
  /** Resolves with the reason when the connection has ended for good; never rejects. */
  readonly closed: Promise<ConnectionError>;
  readonly #link: AgentLink;
  readonly #sessions: SessionRegistry;
  readonly #opener: SessionOpener;
  readonly #login: Login;
  readonly #permissions: PermissionBroker;

  /** @internal */
  constructor(parts: AgentConnectionParts) {
    const { link, sessions, opener, login, permissions } = parts;
    this.#link = link;
    this.#sessions = sessions;
    this.#opener = opener;
    this.#login = login;
    this.#permissions = permissions;
    this.closed = link.closed;
  }

  /** The underlying protocol connection, for methods that this package does not wrap. A restart creates a new one. */
  get peer(): ClientPeer {
    return this.#link.current.peer;
  }

  get protocolVersion(): number {
    return this.#link.current.response.protocolVersion;
  }

  /** Name and version of the agent. */
  get info(): Implementation | undefined {
    return this.#link.current.response.agentInfo ?? undefined;
  }

  /** The capabilities that the agent advertised. */
  get capabilities(): AgentCapabilities {
    return this.#link.current.response.agentCapabilities ?? {};
  }

  /** The login methods that the agent advertised. Entries without an id are left out. */
  get authMethods(): readonly LoginMethod[] {
    return this.#login.methods;
  }

  /** The last permission decisions, the oldest first, at most `limits.maxPermissionDecisions`. An immutable snapshot. */
  get permissionDecisions(): readonly PermissionDecision[] {
    return this.#permissions.decisions;
  }

  /** `disconnected`: the agent died, and the next call starts it again. `closed`: it will not be started again. */
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

  /** Creates a session. */
  newSession(setup: SessionSetup, options: OpenOptions = {}): Promise<Session> {
    return this.#opener.new(setup, options);
  }

  /**
   * Opens a saved session and has the agent replay its history, as updates with `replayed: true`; all of them have been delivered when this
   * resolves. For a session that is open here already this returns the same object: its listeners have received the history, so only
   * `options.onUpdate` gets it.
   *
   * @throws {CapabilityError} when the agent can't load sessions.
   */
  loadSession(saved: SessionSetup & { readonly sessionId: string }, options: OpenOptions = {}): Promise<Session> {
    return this.#opener.load(saved, options);
  }

  /**
   * Opens a saved session without its history.
   *
   * @throws {CapabilityError} when the agent can't resume sessions.
   */
  resumeSession(saved: SessionSetup & { readonly sessionId: string }, options: OpenOptions = {}): Promise<Session> {
    return this.#opener.resume(saved, options);
  }

  /**
   * Opens a saved session in the way that the agent offers: resumed without its history, or loaded with it, or else a new one;
   * `session.origin` says which. `prefer: "load"` tries loading first, for a client that shows the history. When the agent doesn't know the
   * session, the next way is tried, with a diagnostic `session_not_found`. A session that is open here already is returned unchanged.
   *
   * @example
   * ```ts
   * const session = await agent.openSession({ cwd, sessionId: saved }, { prefer: "load" });
   * ```
   */
  openSession(
    saved: SessionSetup & { readonly sessionId?: string | undefined },
    options: OpenSessionOptions = {},
  ): Promise<Session> {
    return this.#opener.any(saved, options);
  }

  /**
   * Iterates over the agent's sessions; requests a page when it is needed.
   *
   * @throws {CapabilityError} when the agent can't list sessions.
   * @throws {ConnectionError} `invalid_response` when the cursor of a page leads to the same page.
   */
  async *listSessions({ cwd, signal }: ListOptions = {}): AsyncGenerator<SessionInfo, void, undefined> {
    let cursor: string | undefined;
    do {
      const params = { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) };
      const page = await this.#ready(() => this.peer.request("session/list", params, signal && { signal }));
      yield* page.sessions;
      const next = page.nextCursor ?? undefined;
      if (next !== undefined && next === cursor) {
        const message = "session/list: the agent returned the same cursor again";
        throw new ConnectionError("invalid_response", message, { method: "session/list" });
      }
      cursor = next;
    } while (cursor !== undefined);
  }

  /** Removes a session from the agent's list. Succeeds for a session that the agent doesn't know. */
  async deleteSession(sessionId: string): Promise<void> {
    try {
      await this.#ready(() => this.peer.request("session/delete", { sessionId }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /**
   * Logs in: by one of {@link authMethods}, or by the method that the user chooses in `login.choose`. Resolves with `false` when the user
   * gave up. With the option `login`, calls that need a login do this by themselves.
   *
   * Logins in a terminal or by variables restart the agent; its sessions are opened again at their next use. If the transport can't restart the
   * agent, connect again.
   *
   * @throws {RpcError} when the agent refuses the login.
   * @throws {TypeError} when `login` has no handler for the kind of the method.
   * @see https://agentclientprotocol.com/protocol/v1/authentication
   */
  login(method?: LoginMethod): Promise<boolean> {
    return method === undefined ? this.#login.ask() : this.#login.by(method);
  }

  /**
   * Logs in by the id of one of {@link authMethods} that the agent runs itself; {@link login} also runs the others.
   *
   * @throws {TypeError} for an id that was not advertised, or is that of a terminal method.
   */
  async authenticate(methodId: string): Promise<void> {
    await this.#link.ready();
    const method = this.authMethods.find(({ id }) => id === methodId);
    if (method === undefined) throw new TypeError(`The agent advertised no login method "${methodId}"`);
    if (method.kind === "terminal") throw new TypeError(`"${methodId}" is run in a terminal: use login()`);
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

  /** Sends an extension request. `result` decodes the result; without it the result is `unknown`. */
  async extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: Pick<RequestOptions, "signal" | "timeoutMs"> & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    return this.#ready(() => this.peer.extensionRequest(method, params, options));
  }

  /** Sends an extension notification. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    return this.peer.extensionNotify(method, params);
  }

  /** Ends the connection and with it the transport: an agent that was spawned ends too. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#permissions.cancel("connection_closed");
    return this.#link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Runs a call over an open connection, with a login if it needs one. */
  #ready<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#login.run(async () => {
      await this.#link.ready();
      return run();
    });
  }
}
