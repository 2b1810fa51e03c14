import type {
  ConnectionLimits,
  Deadlines,
  Diagnostic,
  Extensions,
  OutgoingCheck,
  PeerContext,
  Tap,
} from "@acp-kit/protocol";
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
import type { ErrorDetails } from "./handler-failures.js";
import type { SessionHandle } from "./session-handle.js";
import type { Turn } from "./turn.js";
import type { ConcurrentPrompts, PromptResult } from "./turn-runner.js";

/** The second argument of an agent's request handlers. */
export interface AgentContext extends PeerContext {
  /** The connection over which the request arrived. */
  readonly connection: ClientConnection;
  /**
   * Returns a handle that sends updates of a session of this connection. Updates of a session that is being created are
   * sent after the response that creates it.
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
 * The function is async: if a plain result were allowed too, TypeScript would widen the `"end_turn"` of an async arrow
 * to `string`. For the same reason, a declared function that returns one stop reason needs a return type:
 * `async function prompt(turn: Turn): Promise<PromptResult>`.
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

  /** Creates a session and returns its id. The session id must be unique; the client does not interpret it. `cwd` is an absolute path. */
  readonly newSession: Handler<IncomingNewSessionRequest, NewSessionResponse>;
  /**
   * Runs one turn and returns its stop reason. If the handler throws, the prompt gets an error response; an abort error
   * of a cancelled turn is not an error.
   */
  readonly prompt: PromptHandler;

  /** Opens a saved session: sends its history as updates through `context.session(id)`, then returns. */
  readonly loadSession?: OptionalResultHandler<IncomingLoadSessionRequest, LoadSessionResponse>;
  /** Opens a saved session without replaying its history. */
  readonly resumeSession?: OptionalResultHandler<IncomingResumeSessionRequest, ResumeSessionResponse>;
  /** Frees the resources of a session. The session's running turn was cancelled and has ended before the handler is called. */
  readonly closeSession?: OptionalResultHandler<CloseSessionRequest, CloseSessionResponse>;
  /** Deletes a saved session from the agent's list. Deleting a session that does not exist should succeed. */
  readonly deleteSession?: OptionalResultHandler<DeleteSessionRequest, DeleteSessionResponse>;
  /** Returns one page of saved sessions; the cursor is the `nextCursor` of the previous page. */
  readonly listSessions?: Handler<ListSessionsRequest, ListSessionsResponse>;
  /** Switches the mode of a session that has `modes`. The library has already refused mode ids that the session does not offer. */
  readonly setSessionMode?: OptionalResultHandler<SetSessionModeRequest, SetSessionModeResponse>;
  /**
   * Sets a config option of a session; the library has already refused ids and values that the session does not offer.
   * The handler returns all options with their values, because one may depend on another; `undefined` means that only
   * this option has changed.
   */
  readonly setSessionConfigOption?: OptionalResultHandler<
    IncomingSetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse
  >;

  /** The login methods of the agent. Methods that need a terminal are not offered to clients that can't show one. */
  readonly authMethods?: readonly AuthMethod[];
  /** Logs in with one of {@link authMethods}; the library has checked the id. */
  readonly authenticate?: OptionalResultHandler<AuthenticateRequest, AuthenticateResponse>;
  readonly logout?: OptionalResultHandler<LogoutRequest, LogoutResponse>;

  /** The kinds of content blocks that prompts may have in addition to text and resource links. */
  readonly promptContent?: { readonly image?: boolean; readonly audio?: boolean; readonly embeddedContext?: boolean };
  /** The MCP transports that the agent supports in addition to stdio. */
  readonly mcpTransports?: { readonly http?: boolean; readonly sse?: boolean };
  /** Whether sessions may have additional directories besides their `cwd`. */
  readonly additionalDirectories?: boolean;
  /** The `_meta` of the agent's capabilities, which advertises extensions. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /**
   * Receives each update before it is sent, in order, so that the agent can persist the history. If it throws, the
   * update is not sent, and the error is thrown to the code that sends the update. If it returns a promise, this update
   * and all later updates of the session wait for that promise.
   */
  readonly beforeUpdate?: (params: SessionNotification, connection: ClientConnection) => unknown;
  /**
   * Whether a turn continues when its client disconnects, so that another client can join it. Set it for agents that
   * serve more than one connection. By default, a turn is cancelled when its connection ends.
   */
  readonly keepTurns?: boolean;
  /** Called when a client cancels a session that has no running turn on the client's connection: another connection may have started the turn. */
  readonly cancelElsewhere?: (params: CancelNotification, context: Pick<AgentContext, "connection">) => void;
  /** The handlers of extension methods, with names like `_vendor.com/name`. */
  readonly extensions?: Extensions;
}

/** The options of `createAgent`. `agentDefaults` has the default of each limit. */
export interface AgentOptions {
  /** What happens to a prompt that arrives while a turn of the same session runs. The default is `queue`. */
  readonly concurrentPrompts?: ConcurrentPrompts;
  /**
   * The time in milliseconds that the handler of a cancelled turn may run before the prompt gets the response
   * `cancelled` anyway. The default is 10,000.
   */
  readonly cancelGraceMs?: number;
  readonly deadlines?: Partial<Deadlines>;
  /** The limits of the connection, and the number of updates that may wait for the response that creates their session (default 10,000). */
  readonly limits?: ConnectionLimits & { readonly maxEarlyUpdates?: number };
  /**
   * Checks every message before it is sent; `@acp-kit/protocol/strict` exports such a function. It is for development
   * and tests; a tool call whose status would move back then throws, too.
   */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, with secrets redacted. */
  readonly tap?: Tap;
  /** Whether `tap` receives messages with their secrets. */
  readonly tapSecrets?: boolean;
  /**
   * Which details of an error that a handler threw are sent to the client. `"hide"` sends only the message
   * `Internal error`. `"send"` sends the error's message, and its name and code if it has them, as `data` of the
   * response, never its stack. An error's message can contain paths and host names. The default is `"hide"`.
   */
  readonly errorDetails?: ErrorDetails;
  /**
   * Receives reports of problems, such as a handler that failed, with the error as `cause`. The library never writes to
   * the console. By default, the caller of `connect` receives the reports; `serveStdio` prints failures to standard
   * error.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
