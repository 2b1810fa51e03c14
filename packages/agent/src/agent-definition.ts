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
import type { AgentConnection } from "./agent-connection.js";
import type { ErrorDetails } from "./handler-failures.js";
import type { SessionHandle } from "./session-handle.js";
import type { Turn } from "./turn.js";
import type { ConcurrentPrompts, PromptResult } from "./turn-runner.js";

/** What a handler knows beside its params. */
export interface AgentContext extends PeerContext {
  /** The connection the request came over. */
  readonly connection: AgentConnection;
  /** One session of it, to speak into. Updates for a session that is being created wait for the response that creates it. */
  session(sessionId: string): SessionHandle;
}

// biome-ignore lint/suspicious/noConfusingVoidType: handlers with nothing to say just end
type Answer<Result> = Result | void | PromiseLike<Result | void>;
type Handler<Params, Result> = (params: Params, context: AgentContext) => Result | PromiseLike<Result>;
type QuietHandler<Params, Result> = (params: Params, context: AgentContext) => Answer<Result>;

/**
 * Handles one turn. `connection` is the one that the prompt came over, for decisions about who is connected.
 *
 * It is an async function: if a plain result were allowed too, TypeScript would widen the `"end_turn"` of an async one to `string`.
 */
export type PromptHandler = (turn: Turn, context: Pick<AgentContext, "connection">) => Promise<PromptResult>;

/**
 * An agent, by its handlers. What it advertises follows from them: a handler that is there is a capability, one that is not
 * answers `-32601`.
 *
 * Throw an `RpcError` to answer with it; anything else that is thrown is answered as an internal error, without details unless
 * `errorDetails` says otherwise, and reported to `onDiagnostic` with its stack.
 */
export interface AgentDefinition {
  /** Name and version, shown by clients. */
  readonly info: Implementation;

  /** Creates a session. Its id is opaque to the client and unique. `cwd` is absolute. */
  readonly newSession: Handler<IncomingNewSessionRequest, NewSessionResponse>;
  /** Plays one turn. Errors are told to the client; cancellation is not an error. */
  readonly prompt: PromptHandler;

  /** Replays a session's history as updates, through `context.session(id)`, then answers. */
  readonly loadSession?: QuietHandler<IncomingLoadSessionRequest, LoadSessionResponse>;
  /** Makes a session ready without replaying it. */
  readonly resumeSession?: QuietHandler<IncomingResumeSessionRequest, ResumeSessionResponse>;
  /** Frees what a session holds. Its running turn has been cancelled and has ended. */
  readonly closeSession?: QuietHandler<CloseSessionRequest, CloseSessionResponse>;
  /** Removes a session from the lists. Deleting what isn't there succeeds. */
  readonly deleteSession?: QuietHandler<DeleteSessionRequest, DeleteSessionResponse>;
  /** One page of sessions; the cursor is whatever the page before answered. */
  readonly listSessions?: Handler<ListSessionsRequest, ListSessionsResponse>;
  /** Switches the mode of a session that told `modes`; an id that it didn't tell has been refused. */
  readonly setSessionMode?: QuietHandler<SetSessionModeRequest, SetSessionModeResponse>;
  /**
   * Changes a config option; ids and values that the session didn't tell have been refused. Answers all options with their values, for
   * one may depend on another; nothing means those that the session has told, with this one changed.
   */
  readonly setSessionConfigOption?: QuietHandler<IncomingSetSessionConfigOptionRequest, SetSessionConfigOptionResponse>;

  /** Ways to log in. Terminal methods are left out for clients that can't run them. */
  readonly authMethods?: readonly AuthMethod[];
  /** Logs in by one of {@link authMethods}; the id has been checked. */
  readonly authenticate?: QuietHandler<AuthenticateRequest, AuthenticateResponse>;
  readonly logout?: QuietHandler<LogoutRequest, LogoutResponse>;

  /** Content that prompts may carry beside text and resource links. */
  readonly promptContent?: { readonly image?: boolean; readonly audio?: boolean; readonly embeddedContext?: boolean };
  /** MCP transports that sessions may name beside stdio. */
  readonly mcpTransports?: { readonly http?: boolean; readonly sse?: boolean };
  /** Sessions may have roots beside their `cwd`. */
  readonly additionalDirectories?: boolean;
  /** Advertised as they are, as `_meta` of the capabilities: the place where extensions announce themselves. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /**
   * Sees each update before it leaves, in order: the place to write history down. What it throws is thrown at whoever sends the update,
   * which then doesn't leave. When it answers a promise, that update and all that comes after it in the session wait for it.
   */
  readonly beforeUpdate?: (params: SessionNotification, connection: AgentConnection) => void | PromiseLike<void>;
  /**
   * Let turns go on when their client goes, for another client to join: for agents that serve more than one connection. Default: a turn
   * is cancelled with its connection.
   */
  readonly keepTurns?: boolean;
  /** A client cancels a session that has no turn on its connection: one that goes on from another may be meant. */
  readonly cancelElsewhere?: (params: CancelNotification, context: Pick<AgentContext, "connection">) => void;
  /** Extension methods, `_vendor.com/name`. */
  readonly extensions?: Extensions;
}

/** How an agent runs. Every limit has a default. */
export interface AgentOptions {
  /** What to do with a prompt while a turn of its session runs. Default `queue`. */
  readonly concurrentPrompts?: ConcurrentPrompts;
  /** How long a cancelled turn may go on before its prompt is answered all the same, in milliseconds. Default 10,000. */
  readonly cancelGraceMs?: number;
  readonly deadlines?: Partial<Deadlines>;
  /** The limits of the connection, and of updates that may wait for the response that creates their session (default 10,000). */
  readonly limits?: ConnectionLimits & { readonly maxHeldUpdates?: number };
  /**
   * Check everything that is sent; `@acp-kit/protocol/strict` has the check. For development and tests: tool calls whose status moves
   * back then throw, too.
   */
  readonly checkOutgoing?: OutgoingCheck;
  /** Sees every message both ways, secrets redacted. */
  readonly tap?: Tap;
  /** Let the tap see secrets. */
  readonly tapSecrets?: boolean;
  /**
   * What the client learns of an error that a handler threw. `"hide"`: nothing but `Internal error`. `"send"`: its message, and its name and
   * code where it has them, as `data` of the answer; never its stack. Messages of errors can name paths and hosts. Default `"hide"`.
   */
  readonly errorDetails?: ErrorDetails;
  /**
   * Receives diagnostics, such as a handler that failed, with its error as `cause`: the library never writes to the console. Default: what
   * serves the agent decides; `serveStdio` prints failures to standard error.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
