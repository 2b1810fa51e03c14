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

/** What a handler of an agent's request knows beside the params. */
export interface ClientContext {
  /** The session of the request; `undefined` while it is being created, or when this client doesn't know it. */
  readonly session: Session | undefined;
  /** Aborts when the agent cancels the request, when its turn is cancelled (permissions, elicitations), when the connection ends. */
  readonly signal: AbortSignal;
  /** Aborts when the session is closed here, or its connection has ended: whatever was started for the session ends then. */
  readonly sessionSignal: AbortSignal;
}

/** Where an update belongs. */
export interface UpdateContext {
  readonly session: Session;
  /** The turn that runs; `undefined` for updates outside turns. */
  readonly turn: PromptTurn | undefined;
  /** It is history, told again while the session is being loaded. */
  readonly replayed: boolean;
}

/** Receives the updates of a session, one at a time, in wire order. If it returns a promise, the next update waits for it. */
export type UpdateListener = (update: IncomingSessionUpdate, context: UpdateContext) => unknown;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler with nothing to say just ends
type Quiet<Result> = Result | void | PromiseLike<Result | void>;

/** Files that the agent may read and write. Each method that is there is advertised. */
export interface FileHandlers {
  readTextFile?(
    params: ReadTextFileRequest,
    context: ClientContext,
  ): ReadTextFileResponse | PromiseLike<ReadTextFileResponse>;
  writeTextFile?(params: WriteTextFileRequest, context: ClientContext): Quiet<WriteTextFileResponse>;
  /** Not of the protocol, but called by some agents: see `fileExtensions` of `@acp-kit/protocol`. */
  deleteFile?(params: DeleteFileRequest, context: ClientContext): void | PromiseLike<void>;
  /** Not of the protocol, but called by some agents: see `fileExtensions` of `@acp-kit/protocol`. */
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
  killTerminal(params: KillTerminalRequest, context: ClientContext): Quiet<KillTerminalResponse>;
  releaseTerminal(params: ReleaseTerminalRequest, context: ClientContext): Quiet<ReleaseTerminalResponse>;
}

/** One kind of elicitation request. */
export type ElicitationOf<Mode extends "form" | "url"> = Extract<IncomingCreateElicitationRequest, { mode: Mode }>;

/** Questions the agent may ask the user. Each handler that is there is advertised as a mode. */
export interface ElicitationHandlers {
  form?(
    request: ElicitationOf<"form">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** Show the whole URL and ask before opening it; never fetch it. */
  url?(
    request: ElicitationOf<"url">,
    context: ClientContext,
  ): CreateElicitationResponse | PromiseLike<CreateElicitationResponse>;
  /** What a `url` request asked for has happened. May never come, or twice. */
  onComplete?(elicitationId: string): void;
}

/** How a client connects. What it advertises follows from the handlers; every limit has a default. */
export interface ConnectOptions {
  /** Name and version, shown by agents. */
  readonly info?: Implementation;
  /** Decide permission requests: the first that answers wins. None answers: `cancelled`. */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** Hears who decided what: the audit trail. The last ones are in `agent.permissionDecisions`. */
  readonly onPermissionDecision?: (decision: PermissionDecision) => void;
  readonly files?: FileHandlers;
  readonly terminals?: TerminalHandlers;
  readonly elicitation?: ElicitationHandlers;
  /** How to log in when the agent asks for it. Without: calls that need a login reject with `AuthRequiredError`. */
  readonly login?: LoginHandlers;
  /** Hears every update of every session, before the session's own listeners. */
  readonly onUpdate?: UpdateListener;
  /** `false` keeps no transcripts: for clients that need none of what was said before. Default: each session has one. */
  readonly transcript?: TranscriptSetting;
  /** What agents do outside of the specification and is understood all the same: all `dialectRules` (default), none, or those named. */
  readonly dialects?: DialectSetting;
  /** What this client can show or do; agents send it only then. */
  readonly supports?: {
    readonly notices?: boolean;
    readonly compaction?: boolean;
    readonly booleanConfigOptions?: boolean;
    /** Run an agent's login command in a terminal. Said by itself where there is a `login.terminal`. */
    readonly terminalAuth?: boolean;
  };
  /** Advertised as it is, as `_meta` of the capabilities: the place where extensions announce themselves. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /** Extension methods, `_vendor.com/name`. */
  readonly extensions?: Extensions;
  /** Ends connecting, and later the connection. */
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: ClientLimits;
  /** Check everything that is sent; `@acp-kit/protocol/strict` has the check. */
  readonly checkOutgoing?: OutgoingCheck;
  /** Sees every message both ways, secrets redacted. */
  readonly tap?: Tap;
  /** Let the tap see secrets. */
  readonly tapSecrets?: boolean;
  /** Where the library speaks: it never writes to the console. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
