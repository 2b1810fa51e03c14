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
  /** The session of the agent's request; `undefined` while the session is being created, or if the client doesn't know it. */
  readonly session: Session | undefined;
  /**
   * A signal that aborts when the agent cancels the request, when the turn of a permission request or elicitation is
   * cancelled, and when the connection ends.
   */
  readonly signal: AbortSignal;
  /** A signal that aborts when the session is closed or its connection has ended, so that the handler can end what it started for the session. */
  readonly sessionSignal: AbortSignal;
}

/** The second argument of an update listener: the session and the turn of the update. */
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
  /** Deletes a file. The protocol does not have this method, but some agents call it: see `fileExtensions` of `@acp-kit/protocol`. */
  deleteFile?(params: DeleteFileRequest, context: ClientContext): void | PromiseLike<void>;
  /** Renames a file. The protocol does not have this method, but some agents call it: see `fileExtensions` of `@acp-kit/protocol`. */
  renameFile?(params: RenameFileRequest, context: ClientContext): void | PromiseLike<void>;
}

/** The client's handlers for commands that the agent runs; set all five or none. @see https://agentclientprotocol.com/protocol/v1/terminals */
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

/** One kind of elicitation request. */
export type ElicitationOf<Mode extends "form" | "url"> = Extract<IncomingCreateElicitationRequest, { mode: Mode }>;

/**
 * The client's handlers for forms and web pages that the agent asks it to show to the user. The client advertises an
 * elicitation mode for each handler that is set.
 */
export interface ElicitationHandlers {
  form?(
    request: ElicitationOf<"form">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** Shows the whole URL and prompts the user before it opens the page; a handler must never fetch the URL. */
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

/** The options of a client's connection to an agent. The client derives its capabilities from the handlers, and every limit has a default. */
export interface ConnectOptions {
  /** The name and version of the client, which agents may show. */
  readonly info?: Implementation;
  /** The rules that decide permission requests: the first rule that decides wins. If no rule decides, the request gets the outcome `cancelled`. */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** Receives every permission decision, for an audit trail. `agent.permissionDecisions` has the latest decisions. */
  readonly onPermissionDecision?: (decision: PermissionDecision) => void;
  readonly files?: FileHandlers;
  readonly terminals?: TerminalHandlers;
  readonly elicitation?: ElicitationHandlers;
  /** The functions by which the application lets the user log in. Without them, calls that need a login reject with `AuthRequiredError`. */
  readonly login?: LoginHandlers;
  /** Receives every update of every session, before the listeners of the session itself. */
  readonly onUpdate?: UpdateListener;
  /**
   * The settings of the sessions' transcripts. `false` keeps no transcripts, for clients that don't show the
   * conversation. By default, each session has a transcript.
   */
  readonly transcript?: TranscriptSetting;
  /** The compatibility rules for agents that deviate from the specification: all `dialectRules` (default), none (`false`), or a list of names. */
  readonly dialects?: DialectSetting;
  /** Capabilities that can't be derived from handlers. Agents use only features that the client advertises. */
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
  /** A signal that aborts connecting and, later, closes the connection. */
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: ClientLimits;
  /** Checks every message before it is sent; `@acp-kit/protocol/strict` exports such a function. */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, with secrets redacted. */
  readonly tap?: Tap;
  /** Whether `tap` receives messages with their secrets. */
  readonly tapSecrets?: boolean;
  /** Receives reports of problems, because the library never writes to the console. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
