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

/** The context of an agent's request, passed to its handler after the params. */
export interface ClientContext {
  /** The session of the request; `undefined` while it is being created, or if this client doesn't know it. */
  readonly session: Session | undefined;
  /** Aborts when the agent cancels the request, when its turn is cancelled (permissions, elicitations), when the connection ends. */
  readonly signal: AbortSignal;
  /** Aborts when the session is closed here, or its connection has ended: end everything that was started for the session. */
  readonly sessionSignal: AbortSignal;
}

/** The session and turn of an update. */
export interface UpdateContext {
  readonly session: Session;
  /** The turn that runs; `undefined` for updates outside turns. */
  readonly turn: PromptTurn | undefined;
  /** Whether it is history, replayed while the session is being loaded. */
  readonly replayed: boolean;
}

/** Receives the updates of a session, one at a time, in wire order. If it returns a promise, the next update waits for it. */
export type UpdateListener = (update: IncomingSessionUpdate, context: UpdateContext) => unknown;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns nothing
type Optional<Result> = Result | void | PromiseLike<Result | void>;

/** Files that the agent may read and write. Each method that is set is advertised. */
export interface FileHandlers {
  readTextFile?(
    params: ReadTextFileRequest,
    context: ClientContext,
  ): ReadTextFileResponse | PromiseLike<ReadTextFileResponse>;
  writeTextFile?(params: WriteTextFileRequest, context: ClientContext): Optional<WriteTextFileResponse>;
  /** Not in the protocol, but called by some agents: see `fileExtensions` of `@acp-kit/protocol`. */
  deleteFile?(params: DeleteFileRequest, context: ClientContext): void | PromiseLike<void>;
  /** Not in the protocol, but called by some agents: see `fileExtensions` of `@acp-kit/protocol`. */
  renameFile?(params: RenameFileRequest, context: ClientContext): void | PromiseLike<void>;
}

/** Commands that the agent may run; all five or none. @see https://agentclientprotocol.com/protocol/v1/terminals */
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

/** Forms and pages that the agent may show the user. Each handler that is set is advertised as a mode. */
export interface ElicitationHandlers {
  form?(
    request: ElicitationOf<"form">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** Show the whole URL and prompt the user before opening it; never fetch it. */
  url?(
    request: ElicitationOf<"url">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** Called when the user has done what a `url` request asked for. May be called never, or twice. */
  onComplete?(elicitationId: string): void;
}

/** Options of a connection. The capabilities of the client follow from the handlers; every limit has a default. */
export interface ConnectOptions {
  /** Name and version, shown by agents. */
  readonly info?: Implementation;
  /** Rules that decide permission requests: the first that decides wins. If none does, the response is `cancelled`. */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** Receives every permission decision: the audit trail. The last ones are in `agent.permissionDecisions`. */
  readonly onPermissionDecision?: (decision: PermissionDecision) => void;
  readonly files?: FileHandlers;
  readonly terminals?: TerminalHandlers;
  readonly elicitation?: ElicitationHandlers;
  /** Handlers for logging in when the agent requires it. Default: calls that need a login reject with `AuthRequiredError`. */
  readonly login?: LoginHandlers;
  /** Receives every update of every session, before the session's own listeners. */
  readonly onUpdate?: UpdateListener;
  /** `false` keeps no transcripts, for clients that don't show the conversation. Default: each session has one. */
  readonly transcript?: TranscriptSetting;
  /** Compatibility rules for agents that differ from the specification: all `dialectRules` (default), none, or those named. */
  readonly dialects?: DialectSetting;
  /** Features that can't be derived from handlers; agents use only those that are advertised. */
  readonly supports?: {
    readonly notices?: boolean;
    readonly compaction?: boolean;
    readonly booleanConfigOptions?: boolean;
    /** Runs an agent's login command in a terminal. Advertised by itself if `login.terminal` is set. */
    readonly terminalAuth?: boolean;
  };
  /** `_meta` of the advertised capabilities, where extensions are advertised. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /** Extension methods, `_vendor.com/name`. */
  readonly extensions?: Extensions;
  /** Aborts connecting, and later closes the connection. */
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: ClientLimits;
  /** Checks everything that is sent; `@acp-kit/protocol/strict` has the check. */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, secrets redacted. */
  readonly tap?: Tap;
  /** Lets the tap see secrets. */
  readonly tapSecrets?: boolean;
  /** Receives diagnostics: the library never writes to the console. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
