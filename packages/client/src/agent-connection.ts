// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import {
  type AgentCapability,
  ConnectionError,
  hasCapability,
  type RequestOptions,
  type StandardSchema,
} from "@acp-kit/protocol";
import { assertAgentCapability, checkOptions, type ExtensionName, type OptionKinds } from "@acp-kit/protocol/internal";
import type { AgentCapabilities, Implementation, SessionInfo } from "@acp-kit/types";
import { decodeDeleteSessionRequest, decodeListSessionsRequest } from "@acp-kit/types/decode";
import type { AgentLink } from "./agent-link.js";
import type { Login } from "./authentication/login.js";
import type { LoginMethod } from "./authentication/login-method.js";
import { checkSent } from "./check-sent.js";
import type { ClientPeer } from "./client-peer.js";
import { isNotFound } from "./errors.js";
import type { PermissionBroker } from "./permissions/permission-broker.js";
import type { PermissionDecision } from "./permissions/permission-decision.js";
import { checkOpening } from "./session/check-opening.js";
import type { OpenOptions, OpenSessionOptions, SessionSetup } from "./session/open-options.js";
import type { Session } from "./session/session.js";
import type { SessionOpener } from "./session/session-opener.js";
import type { Sessions } from "./session/sessions.js";

/** Selects the sessions that `agent.listSessions` returns. */
export interface ListOptions {
  /** Lists only sessions whose working directory is this absolute path. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** The objects to which an {@link AgentConnection} delegates its work. */
export interface AgentConnectionParts {
  readonly link: AgentLink;
  readonly sessions: Sessions;
  readonly opener: SessionOpener;
  readonly login: Login;
  readonly permissions: PermissionBroker;
}

/** A connection to an agent, after both have negotiated the protocol version. `connectAgent` creates it. */
export class AgentConnection {
  /**
   * A promise that resolves with the reason when the connection has ended and won't be opened again. It never rejects.
   */
  readonly closed: Promise<ConnectionError>;
  readonly #link: AgentLink;
  readonly #sessions: Sessions;
  /** @internal */
  readonly opener: SessionOpener;
  readonly #login: Login;
  readonly #permissions: PermissionBroker;

  /** @internal */
  constructor(parts: AgentConnectionParts) {
    const { link, sessions, opener, login, permissions } = parts;
    this.#link = link;
    this.#sessions = sessions;
    this.opener = opener;
    this.#login = login;
    this.#permissions = permissions;
    this.closed = link.closed;
  }

  /**
   * The typed JSON-RPC connection to the agent, for methods that this package does not wrap. A restart of the agent
   * creates a new connection.
   */
  get peer(): ClientPeer {
    return this.#link.current.peer;
  }

  get protocolVersion(): number {
    return this.#link.current.response.protocolVersion;
  }

  /** The name and version of the agent. */
  get info(): Implementation | undefined {
    return this.#link.current.response.agentInfo ?? undefined;
  }

  /** The capabilities that the agent advertised. */
  get capabilities(): AgentCapabilities {
    return this.#link.current.response.agentCapabilities ?? {};
  }

  /** The login methods that the agent advertised. Login methods without an id are left out. */
  get authMethods(): readonly LoginMethod[] {
    return this.#login.methods;
  }

  /**
   * The latest permission decisions, oldest first; at most 1,000 are kept. The list is an
   * immutable snapshot.
   */
  get permissionDecisions(): readonly PermissionDecision[] {
    return this.#permissions.decisions;
  }

  /**
   * The state of the connection. `disconnected`: the agent's process ended, and the next call starts it again.
   * `closed`: the agent will not be started again.
   */
  get state(): "initialized" | "disconnected" | "closed" {
    return this.#link.state;
  }

  /**
   * Returns whether the agent advertised a capability of the protocol, such as `agentCapabilities.loadSession`. Other
   * capabilities, such as those in `_meta`, are in {@link capabilities}.
   *
   * @throws {InvalidOptionError} for a path that the protocol does not define.
   */
  offers(capability: AgentCapability): boolean {
    assertAgentCapability(capability);
    return hasCapability(this.capabilities, capability);
  }

  /** Returns the open session with this id, or `undefined`. */
  session(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  /** The sessions that are open on this connection. */
  get sessions(): readonly Session[] {
    return this.#sessions.all();
  }

  /** Creates a new session. */
  newSession(setup: SessionSetup, options: OpenOptions = {}): Promise<Session> {
    return checked(() => checkOpening("newSession", setup, options)) ?? this.opener.new(setup, options);
  }

  /**
   * Opens a saved session with `session/load`. The agent replays the history of the session as updates, which listeners
   * receive with `replayed: true`. All of them have been delivered when the returned promise resolves. If the session
   * is already open on this connection, the same `Session` object is returned, and only `options.onUpdate` receives the
   * history.
   *
   * @throws {CapabilityError} when the agent can't load sessions.
   */
  loadSession(saved: SessionSetup & { readonly sessionId: string }, options: OpenOptions = {}): Promise<Session> {
    return checked(() => checkOpening("loadSession", saved, options)) ?? this.opener.load(saved, options);
  }

  /**
   * Opens a saved session with `session/resume`, without its history.
   *
   * @throws {CapabilityError} when the agent can't resume sessions.
   */
  resumeSession(saved: SessionSetup & { readonly sessionId: string }, options: OpenOptions = {}): Promise<Session> {
    return checked(() => checkOpening("resumeSession", saved, options)) ?? this.opener.resume(saved, options);
  }

  /**
   * Opens a saved session in the first of these ways that the agent supports: `session/resume` (without its history),
   * `session/load` (with its history), a new session. `session.origin` says which way was used. With `prefer: "load"`
   * the client tries `session/load` first, so that it can show the history to the user. If the agent doesn't know the
   * session, the client reports the diagnostic `session_not_found` and tries the next way. If the session is already
   * open on this connection, the same `Session` object is returned, after `options` have been applied to it.
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
    return checked(() => checkOpening("openSession", saved, options)) ?? this.opener.any(saved, options);
  }

  /**
   * Iterates over the sessions that the agent lists. The client requests each page of the list when the loop reaches
   * it.
   *
   * @throws {CapabilityError} when the agent can't list sessions.
   * @throws {ConnectionError} `invalid_response` when the agent returns the same cursor twice.
   */
  async *listSessions(options: ListOptions = {}): AsyncGenerator<SessionInfo, void, undefined> {
    checkOptions("listSessions", options, listKinds);
    const { cwd, signal } = options;
    checkSent("session/list", decodeListSessionsRequest, cwd === undefined ? {} : { cwd });
    let cursor: string | undefined;
    const seen = new Set<string>();
    do {
      const params = { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) };
      const page = await this.#ready(() => this.peer.request("session/list", params, signal && { signal }));
      yield* page.sessions;
      cursor = page.nextCursor ?? undefined;
      if (cursor !== undefined && seen.has(cursor)) {
        const message = "session/list: the agent returned the same cursor again";
        throw new ConnectionError("invalid_response", message, { method: "session/list" });
      }
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  }

  /**
   * Deletes a session from the agent's list of sessions. If the session is open on this connection, it ends, as after
   * `session.close()`. Deleting a session that the agent doesn't know succeeds.
   */
  async deleteSession(sessionId: string): Promise<void> {
    checkSent("session/delete", decodeDeleteSessionRequest, { sessionId });
    try {
      await this.#ready(() => this.peer.request("session/delete", { sessionId }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    const session = this.#sessions.get(sessionId);
    session?.end();
    session?.leave();
  }

  /**
   * Logs in with one of {@link authMethods}, or, without an argument, with the method that the user chooses in
   * `login.choose`. Resolves with `false` if the user cancelled the login. If `connectAgent` has the option `login`,
   * the client also logs in when the agent rejects a call because it needs a login.
   *
   * After a login in a terminal or by environment variables, the client restarts the agent. It reopens each session
   * when the application next uses the session. If the transport can't restart the agent, the application has to
   * connect again.
   *
   * @throws {RpcError} when the agent refuses the login.
   * @throws {TypeError} when `login` of `connectAgent` has no handler for this kind of method.
   * @see https://agentclientprotocol.com/protocol/v1/authentication
   */
  login(method?: LoginMethod): Promise<boolean> {
    return method === undefined ? this.#login.ask() : this.#login.by(method);
  }

  /**
   * Sends `authenticate` with the id of a login method that the agent runs itself. For all other kinds of methods, use
   * {@link login}.
   *
   * @throws {TypeError} when the agent did not advertise the id, or the method has to run in a terminal.
   */
  async authenticate(methodId: string): Promise<void> {
    await this.#link.ready();
    const method = this.authMethods.find(({ id }) => id === methodId);
    if (method === undefined) throw new TypeError(`The agent advertised no login method "${methodId}"`);
    if (method.kind === "terminal")
      throw new TypeError(`The login method "${methodId}" runs in a terminal: use login()`);
    await this.peer.request("authenticate", { methodId });
  }

  /**
   * Logs out with `logout`.
   *
   * @throws {CapabilityError} when the agent did not advertise logout.
   */
  async logout(): Promise<void> {
    await this.#link.ready();
    await this.peer.request("logout", {});
  }

  /**
   * Sends an extension request to the agent. `result` decodes the response; without `result`, the returned value is
   * `unknown`.
   */
  async extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: Pick<RequestOptions, "signal" | "timeoutMs"> & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    return this.#ready(() => this.peer.extensionRequest(method, params, options));
  }

  /** Sends an extension notification to the agent. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    return this.peer.extensionNotify(method, params);
  }

  /**
   * Closes the connection and its transport. If the transport started the agent's process, the process ends, too. A
   * second call has no effect, and the returned promise never rejects.
   */
  close(): Promise<void> {
    this.#permissions.cancelAll("connection_closed");
    return this.#link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Runs a call once the connection is open, and logs in if the call needs a login. */
  #ready<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#login.run(async () => {
      await this.#link.ready();
      return run();
    });
  }
}

const listKinds: OptionKinds<ListOptions> = { cwd: "value", signal: "value" };

/** Returns a promise that rejects with the error of a check, or `undefined`. */
function checked(check: () => void): Promise<never> | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return Promise.reject(error);
  }
}
