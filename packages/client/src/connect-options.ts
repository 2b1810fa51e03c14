import type {
  Deadlines,
  DeleteFileRequest,
  Diagnostic,
  Extensions,
  OutgoingCheck,
  RenameFileRequest,
  Tap,
} from "@acp-kit/protocol";
import type {
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  Implementation,
  IncomingCreateElicitationRequest,
  IncomingSessionUpdate,
  KillTerminalRequest,
  KillTerminalResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "@acp-kit/types";
import type { LoginHandlers } from "./authentication/login.js";
import type { DialectSetting } from "./dialect/dialect-rules.js";
import type { ClientLimits } from "./limits.js";
import type { PermissionDecision } from "./permissions/permission-decision.js";
import type { PermissionRule } from "./permissions/permission-rule.js";
import type { PromptTurn } from "./prompt-turn.js";
import type { Session } from "./session.js";
import type { TranscriptSetting } from "./transcript/session-transcript.js";

/** The second argument of a handler for an agent's request. */
export interface ClientContext {
  /**
   * The session to which the agent's request belongs; `undefined` while that session is being created, or if the client
   * doesn't know it.
   */
  readonly session: Session | undefined;
  /**
   * A signal that aborts when the agent cancels the request and when the connection ends. For permission requests and
   * elicitations, it also aborts when the session's turn is cancelled.
   */
  readonly signal: AbortSignal;
  /**
   * A signal that aborts when the session is closed or its connection has ended. A handler listens to it to end, for
   * example, the commands that it started for the session.
   */
  readonly sessionSignal: AbortSignal;
}

/** The second argument of an update listener: the session and the turn to which the update belongs. */
export interface UpdateContext {
  readonly session: Session;
  /** The running turn to which the update belongs; `undefined` for updates outside turns. */
  readonly turn: PromptTurn | undefined;
  /** Whether the update is part of a history that the agent replays during `session/load`. */
  readonly replayed: boolean;
}

/**
 * A function that receives the updates of a session, one at a time, in the order in which they arrived. If the listener
 * returns a promise, the next update of the session waits for that promise.
 */
export type UpdateListener = (update: IncomingSessionUpdate, context: UpdateContext) => unknown;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns nothing
type Optional<Result> = Result | void | PromiseLike<Result | void>;

/** The client's handlers for files that the agent reads and writes. The client advertises each method that is set. */
export interface FileHandlers {
  readTextFile?(
    params: ReadTextFileRequest,
    context: ClientContext,
  ): ReadTextFileResponse | PromiseLike<ReadTextFileResponse>;
  writeTextFile?(params: WriteTextFileRequest, context: ClientContext): Optional<WriteTextFileResponse>;
  /** Deletes a file. The protocol does not define this method, but some agents call it: see `fileExtensions` of `@acp-kit/protocol`. */
  deleteFile?(params: DeleteFileRequest, context: ClientContext): void | PromiseLike<void>;
  /** Renames a file. The protocol does not define this method, but some agents call it: see `fileExtensions` of `@acp-kit/protocol`. */
  renameFile?(params: RenameFileRequest, context: ClientContext): void | PromiseLike<void>;
}

/**
 * The client's handlers for commands that the agent runs in terminals of the client. Set all five handlers or none of
 * them.
 *
 * @see https://agentclientprotocol.com/protocol/v1/terminals
 */
export interface TerminalHandlers {
  createTerminal(
    params: CreateTerminalRequest,
    context: ClientContext,
  ): CreateTerminalResponse | PromiseLike<CreateTerminalResponse>;
  terminalOutput(
    params: TerminalOutputRequest,
    context: ClientContext,
  ): TerminalOutputResponse | PromiseLike<TerminalOutputResponse>;
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    context: ClientContext,
  ): WaitForTerminalExitResponse | PromiseLike<WaitForTerminalExitResponse>;
  killTerminal(params: KillTerminalRequest, context: ClientContext): Optional<KillTerminalResponse>;
  releaseTerminal(params: ReleaseTerminalRequest, context: ClientContext): Optional<ReleaseTerminalResponse>;
}

/** The params of elicitation requests of one mode. */
export type ElicitationOf<Mode extends "form" | "url"> = Extract<IncomingCreateElicitationRequest, { mode: Mode }>;

/**
 * The client's handlers for elicitations: the agent requests that the user fill in a form or open a web page. The
 * client advertises a mode of elicitation if the handler with the same name is set.
 */
export interface ElicitationHandlers {
  form?(
    request: ElicitationOf<"form">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** Shows the whole URL, and opens the page only if the user agrees. The handler must never fetch the URL. */
  url?(
    request: ElicitationOf<"url">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /**
   * Called when the agent reports that the user has completed a `url` elicitation. Some agents never send this
   * notification, others send it twice.
   */
  onComplete?(elicitationId: string): void;
}

/**
 * The options of a client's connection to an agent. The client advertises the capabilities for which it has handlers.
 * Every limit has a default.
 */
export interface ConnectOptions {
  /** The name and version of the client, which agents may show. */
  readonly info?: Implementation;
  /**
   * The rules that decide permission requests, in order: the first rule that decides a request wins. If no rule
   * decides, the request gets the outcome `cancelled`.
   */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** Receives every permission decision, for an audit log. `agent.permissionDecisions` keeps the latest decisions. */
  readonly onPermissionDecision?: (decision: PermissionDecision) => void;
  readonly files?: FileHandlers;
  readonly terminals?: TerminalHandlers;
  readonly elicitation?: ElicitationHandlers;
  /** The functions by which the application lets the user log in. Without them, calls that need a login reject with `AuthRequiredError`. */
  readonly login?: LoginHandlers;
  /** Receives every update of every session, before the listeners of the session itself. */
  readonly onUpdate?: UpdateListener;
  /**
   * The settings of the sessions' transcripts. By default, each session keeps a transcript, the accumulated state of
   * its conversation. With `false`, no session keeps a transcript; use this in clients that don't show the
   * conversation.
   */
  readonly transcript?: TranscriptSetting;
  /**
   * The compatibility rules that the client applies for agents that deviate from the specification: all `dialectRules`
   * (default), none (`false`), or those with the listed names.
   */
  readonly dialects?: DialectSetting;
  /** Capabilities that the client advertises although no handler belongs to them. Agents use only features that the client advertises. */
  readonly supports?: {
    readonly notices?: boolean;
    readonly compaction?: boolean;
    readonly booleanConfigOptions?: boolean;
    /** Whether the client can run an agent's login command in a terminal. The client advertises this automatically if `login.terminal` is set. */
    readonly terminalAuth?: boolean;
  };
  /** The `_meta` of the client's capabilities, which advertises extensions. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /** The handlers of extension methods, with names like `_vendor.com/name`. */
  readonly extensions?: Extensions;
  /** A signal. If it aborts while the client connects, the attempt fails; if it aborts later, the connection is closed. */
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: ClientLimits;
  /** Checks every message before it is sent; `@acp-kit/protocol/strict` exports such a function. */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, for a log or a recording; secrets are redacted. */
  readonly tap?: Tap;
  /** Whether `tap` receives messages without redaction, secrets included. The default is `false`. */
  readonly tapSecrets?: boolean;
  /** Receives reports of problems that no call can return. The library itself never writes to the console. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
