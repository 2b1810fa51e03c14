import type { PeerContext } from "@acp-kit/protocol";
import type { Extensions } from "@acp-kit/protocol/internal";
import type {
  AuthenticateRequest,
  AuthenticateResponse,
  AuthMethod,
  CancelNotification,
  CloseSessionRequest,
  CloseSessionResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  Implementation,
  IncomingLoadSessionRequest,
  IncomingNewSessionRequest,
  IncomingResumeSessionRequest,
  IncomingSetSessionConfigOptionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionResponse,
  LogoutRequest,
  LogoutResponse,
  NewSessionResponse,
  ResumeSessionResponse,
  SessionNotification,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
} from "@acp-kit/types";
import type { ClientConnection } from "./client-connection.js";
import type { SessionHandle } from "./session-handle.js";
import type { Turn } from "./turn.js";
import type { PromptResult } from "./turn-policy.js";
import type { UnstableAgentFeature } from "./unstable/unstable-agent-feature.js";

/** The second argument of an agent's request handlers. */
export interface AgentContext extends PeerContext {
  /** The connection over which the request arrived. */
  readonly connection: ClientConnection;
  /**
   * Returns a handle that sends updates for a session of this connection. If the session is being created, its updates
   * are sent after the response that creates it.
   */
  session(sessionId: string): SessionHandle;
}

// biome-ignore lint/suspicious/noConfusingVoidType: handlers without a result return nothing
type OptionalResult<Result> = Result | void | PromiseLike<Result | void>;
type Handler<Params, Result> = (params: Params, context: AgentContext) => Result | PromiseLike<Result>;
type OptionalResultHandler<Params, Result> = (params: Params, context: AgentContext) => OptionalResult<Result>;

/**
 * A function that runs one turn and returns its stop reason. `connection` is the connection over which the prompt
 * arrived.
 *
 * The function must return a promise. If the type also allowed a plain result, TypeScript would infer `string` for an
 * async arrow function that returns `"end_turn"`. For the same reason, a declared function that returns a stop reason
 * needs a return type: `async function prompt(turn: Turn): Promise<PromptResult>`.
 */
export type PromptHandler = (turn: Turn, context: Pick<AgentContext, "connection">) => Promise<PromptResult>;

/**
 * The handlers of an agent. The agent's capabilities are derived from its handlers; a request without a handler gets
 * the error `-32601`.
 *
 * If a handler throws an `RpcError`, the client receives its code, message and data. Any other error becomes an
 * internal error without details (see `errorDetails`), and `onDiagnostic` receives the error with its stack.
 */
export interface AgentDefinition {
  /** The name and version of the agent, which clients show. */
  readonly info: Implementation;

  /**
   * Creates a session and returns its id. The session id must be unique; the client does not interpret it. `cwd` is an
   * absolute path.
   */
  readonly newSession: Handler<IncomingNewSessionRequest, NewSessionResponse>;
  /**
   * Runs one turn and returns its stop reason. If the handler throws, the prompt gets an error response. If it throws
   * an abort error because the turn was cancelled, the prompt gets the stop reason `cancelled`.
   */
  readonly prompt: PromptHandler;

  /**
   * Opens a saved session. The handler sends the history of the session as updates with `context.session(id)`, then
   * returns.
   */
  readonly loadSession?: OptionalResultHandler<IncomingLoadSessionRequest, LoadSessionResponse>;
  /** Opens a saved session without replaying its history. */
  readonly resumeSession?: OptionalResultHandler<IncomingResumeSessionRequest, ResumeSessionResponse>;
  /**
   * Frees the resources of a session. Before it calls the handler, the library cancels the session's turns and waits
   * until they have ended.
   */
  readonly closeSession?: OptionalResultHandler<CloseSessionRequest, CloseSessionResponse>;
  /** Deletes a saved session from the agent's list. Deleting a session that does not exist should succeed. */
  readonly deleteSession?: OptionalResultHandler<DeleteSessionRequest, DeleteSessionResponse>;
  /**
   * Returns one page of saved sessions. The `cursor` of the request is the `nextCursor` that the handler returned with
   * the previous page.
   */
  readonly listSessions?: Handler<ListSessionsRequest, ListSessionsResponse>;
  /**
   * Switches the mode of a session that has `modes`. The library rejects mode ids that the session does not offer
   * before it calls the handler.
   */
  readonly setSessionMode?: OptionalResultHandler<SetSessionModeRequest, SetSessionModeResponse>;
  /**
   * Sets a config option of a session. The library rejects ids and values that the session does not offer before it
   * calls the handler. The handler returns all options with their values, because setting one can change others;
   * `undefined` means that only this option has changed.
   */
  readonly setSessionConfigOption?: OptionalResultHandler<
    IncomingSetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse
  >;

  /**
   * The login methods of the agent. The library does not offer methods that need a terminal to clients that can't show
   * one.
   */
  readonly authMethods?: readonly AuthMethod[];
  /** Logs in with one of {@link authMethods}. The library rejects other ids before it calls the handler. */
  readonly authenticate?: OptionalResultHandler<AuthenticateRequest, AuthenticateResponse>;
  readonly logout?: OptionalResultHandler<LogoutRequest, LogoutResponse>;

  /** The kinds of content blocks that the agent accepts in prompts, in addition to text and resource links. */
  readonly promptContent?: { readonly image?: boolean; readonly audio?: boolean; readonly embeddedContext?: boolean };
  /**
   * The MCP transports that the agent supports in addition to stdio. The protocol requires every agent to connect to
   * the stdio servers in `mcpServers` of `newSession`, `loadSession` and `resumeSession`. The library does not do this:
   * connect to them in these handlers, with an MCP client. `acp` is not stable: the client serves such a server over
   * its connection, and `clientTransport` of `@acp-kit/mcp` reaches it.
   *
   * @see https://agentclientprotocol.com/protocol/v1/session-setup#mcp-servers
   */
  readonly mcpTransports?: { readonly http?: boolean; readonly sse?: boolean; readonly acp?: boolean };
  /** Whether the agent accepts additional directories for a session, besides its `cwd`. */
  readonly additionalDirectories?: boolean;
  /** The `_meta` of the agent's capabilities, which advertises extensions. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /**
   * Receives each update before it is sent, in order, so that the agent can persist the history. If it throws, the
   * update is not sent, and the error is thrown to the code that sends the update. If it returns a promise, this update
   * and all later updates of the session wait for that promise.
   *
   * On a connection of version 2, chunks have message ids, and the update can be one that only version 2 has, although
   * the type does not contain those; see `VersionedUpdate`.
   */
  readonly beforeUpdate?: (params: SessionNotification, connection: ClientConnection) => unknown;
  /**
   * Whether a turn continues when its client disconnects, for agents that let another client join the session. By
   * default, a turn is cancelled when its connection ends.
   */
  readonly keepTurns?: boolean;
  /**
   * Called when a client cancels the turn of a session, but no turn of that session runs on the client's connection.
   * Another connection may have started the turn.
   */
  readonly cancelElsewhere?: (params: CancelNotification, context: Pick<AgentContext, "connection">) => void;
  /** The handlers of extension methods, with names like `_vendor.com/name`. */
  readonly extensions?: Extensions;
  /** Features of the protocol that are not stable yet; `@acp-kit/agent/unstable` exports them. */
  readonly unstable?: readonly UnstableAgentFeature[];
}
