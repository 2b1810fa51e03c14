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

/** The context of a request, passed to its handler after the params. */
export interface AgentContext extends PeerContext {
  /** The connection the request came over. */
  readonly connection: ClientConnection;
  /** A session of the connection, to send updates to. Updates for a session that is being created wait for the response that creates it. */
  session(sessionId: string): SessionHandle;
}

// biome-ignore lint/suspicious/noConfusingVoidType: handlers without a result return nothing
type OptionalResult<Result> = Result | void | PromiseLike<Result | void>;
type Handler<Params, Result> = (params: Params, context: AgentContext) => Result | PromiseLike<Result>;
type OptionalResultHandler<Params, Result> = (params: Params, context: AgentContext) => OptionalResult<Result>;

/**
 * Runs one turn. `connection` is the one that the prompt came over, for decisions about who is connected.
 *
 * It is an async function: if a plain result were allowed too, TypeScript would widen the `"end_turn"` of an async arrow to
 * `string`. For the same reason a declared function that returns one stop reason names its type: `async function prompt(turn: Turn):
 * Promise<PromptResult>`.
 */
export type PromptHandler = (turn: Turn, context: Pick<AgentContext, "connection">) => Promise<PromptResult>;

/**
 * An agent, by its handlers. The capabilities that it advertises follow from them; a request without a handler gets the error `-32601`.
 *
 * Throw an `RpcError` to respond with it. Any other error becomes an internal error without details, unless `errorDetails` says otherwise,
 * and is reported to `onDiagnostic` with its stack.
 */
export interface AgentDefinition {
  /** Name and version, shown by clients. */
  readonly info: Implementation;

  /** Creates a session. Its id is opaque to the client and unique. `cwd` is absolute. */
  readonly newSession: Handler<IncomingNewSessionRequest, NewSessionResponse>;
  /** Runs one turn. An error that it throws becomes the error of the response; cancellation is not an error. */
  readonly prompt: PromptHandler;

  /** Replays a session's history as updates, through `context.session(id)`, then returns. */
  readonly loadSession?: OptionalResultHandler<IncomingLoadSessionRequest, LoadSessionResponse>;
  /** Opens a saved session; does not replay its history. */
  readonly resumeSession?: OptionalResultHandler<IncomingResumeSessionRequest, ResumeSessionResponse>;
  /** Frees what a session holds. Its running turn has been cancelled and has ended. */
  readonly closeSession?: OptionalResultHandler<CloseSessionRequest, CloseSessionResponse>;
  /** Removes a session from the lists. Deleting a session that does not exist succeeds. */
  readonly deleteSession?: OptionalResultHandler<DeleteSessionRequest, DeleteSessionResponse>;
  /** Returns one page of sessions; the cursor is the `nextCursor` of the previous page. */
  readonly listSessions?: Handler<ListSessionsRequest, ListSessionsResponse>;
  /** Switches the mode of a session that has `modes`. An id that the session does not offer has been refused. */
  readonly setSessionMode?: OptionalResultHandler<SetSessionModeRequest, SetSessionModeResponse>;
  /**
   * Changes a config option; ids and values that the session does not offer have been refused. Returns all options with their values, because
   * one may depend on another; nothing means the current ones with this one changed.
   */
  readonly setSessionConfigOption?: OptionalResultHandler<
    IncomingSetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse
  >;

  /** Ways to log in. Terminal methods are left out for clients that can't run them. */
  readonly authMethods?: readonly AuthMethod[];
  /** Logs in by one of {@link authMethods}; the id has been checked. */
  readonly authenticate?: OptionalResultHandler<AuthenticateRequest, AuthenticateResponse>;
  readonly logout?: OptionalResultHandler<LogoutRequest, LogoutResponse>;

  /** Content that prompts may have in addition to text and resource links. */
  readonly promptContent?: { readonly image?: boolean; readonly audio?: boolean; readonly embeddedContext?: boolean };
  /** MCP transports that sessions may use in addition to stdio. */
  readonly mcpTransports?: { readonly http?: boolean; readonly sse?: boolean };
  /** Whether sessions may have roots in addition to their `cwd`. */
  readonly additionalDirectories?: boolean;
  /** `_meta` of the advertised capabilities, where extensions are advertised. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /**
   * Receives each update before it is sent, in order: the place to persist history. An error that it throws is thrown to the code that sends
   * the update, which is then not sent. If it returns a promise, this update and all later ones of the session wait for it.
   */
  readonly beforeUpdate?: (params: SessionNotification, connection: ClientConnection) => unknown;
  /**
   * Lets turns continue when their client disconnects, so that another client can join them: for agents that serve more than one connection.
   * Default: a turn is cancelled with its connection.
   */
  readonly keepTurns?: boolean;
  /** Called when a client cancels a session without a running turn on its connection: a turn that another connection started may be meant. */
  readonly cancelElsewhere?: (params: CancelNotification, context: Pick<AgentContext, "connection">) => void;
  /** Extension methods, `_vendor.com/name`. */
  readonly extensions?: Extensions;
}

/** How an agent runs. Every limit has a default in `agentDefaults`. */
export interface AgentOptions {
  /** What happens to a prompt while a turn of its session runs. Default `queue`. */
  readonly concurrentPrompts?: ConcurrentPrompts;
  /** How long a cancelled turn may take to end, in milliseconds, before its prompt gets the response `cancelled` anyway. Default 10,000. */
  readonly cancelGraceMs?: number;
  readonly deadlines?: Partial<Deadlines>;
  /** The limits of the connection, and the number of updates that wait for the response that creates their session (default 10,000). */
  readonly limits?: ConnectionLimits & { readonly maxEarlyUpdates?: number };
  /**
   * Checks everything that is sent; `@acp-kit/protocol/strict` has the check. For development and tests: a tool call whose status would move
   * back then throws, too.
   */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, secrets redacted. */
  readonly tap?: Tap;
  /** Lets the tap see secrets. */
  readonly tapSecrets?: boolean;
  /**
   * Which details of an error that a handler threw the client receives. `"hide"`: only `Internal error`. `"send"`: its message, and its name and
   * code if it has them, as `data` of the response; never its stack. Messages of errors can contain paths and hosts. Default `"hide"`.
   */
  readonly errorDetails?: ErrorDetails;
  /**
   * Receives diagnostics, such as a handler that failed, with its error as `cause`: the library never writes to the console. Default: the
   * caller of `connect` decides; `serveStdio` prints failures to standard error.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
