import type { Diagnostic, Tap, Transport } from "@acp-kit/protocol";
import type {
  ConnectionLimits,
  DeleteFileRequest,
  Extensions,
  OutgoingCheck,
  RenameFileRequest,
} from "@acp-kit/protocol/internal";
import type {
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  Implementation,
  IncomingCreateElicitationRequest,
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
import type { AgentSource } from "./agent-link.js";
import type { LoginHandlers } from "./authentication/login-handlers.js";
import type { ClientContext } from "./client-context.js";
import type { DialectSetting } from "./dialect/dialect-rules.js";
import type { PermissionDecision } from "./permissions/permission-decision.js";
import type { PermissionRule } from "./permissions/permission-rule.js";
import type { UpdateListener } from "./session/session.js";
import type { TranscriptSetting } from "./transcript/session-transcript.js";
import type { UnstableFeature } from "./unstable/unstable-feature.js";
import type { ClientVersion } from "./version.js";

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns nothing
type Optional<Result> = Result | void | PromiseLike<Result | void>;

/** The client's handlers for files that the agent reads and writes. The client advertises each method that is set. */
export interface FileHandlers {
  readTextFile?(
    params: ReadTextFileRequest,
    context: ClientContext,
  ): ReadTextFileResponse | PromiseLike<ReadTextFileResponse>;
  writeTextFile?(params: WriteTextFileRequest, context: ClientContext): Optional<WriteTextFileResponse>;
  /**
   * Deletes a file. The protocol does not define this method, but some agents call it: see `fileExtensions` of
   * `@acp-kit/protocol`.
   */
  deleteFile?(params: DeleteFileRequest, context: ClientContext): void | PromiseLike<void>;
  /**
   * Renames a file. The protocol does not define this method, but some agents call it: see `fileExtensions` of
   * `@acp-kit/protocol`.
   */
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

/** Servers of MCP for the option `mcp`. `@acp-kit/mcp` implements it. */
export interface ClientMcp {
  /** @internal Adds the servers to an agent. `forget` ends the servers of a session. */
  connect<Agent extends Transport | PromiseLike<Transport> | AgentSource>(
    agent: Agent,
    report: (diagnostic: Diagnostic) => void,
  ): { readonly agent: Agent; readonly forget: (sessionId: string) => void };
}

/**
 * Options of `connectAgent`. The client advertises the capabilities for which it has handlers. Every limit has a
 * default.
 */
export interface ConnectAgentOptions {
  /** The name and version of the client, which agents may show. With `versions`, it is required. */
  readonly info?: Implementation;
  /**
   * The version of the protocol that the client offers in addition to version 1, such as `[v2]` of
   * `@acp-kit/v2/client`. The agent chooses; `agent.protocolVersion` is its choice. Handlers, sessions and turns are
   * the same in both versions.
   */
  readonly versions?: readonly [] | readonly [ClientVersion];
  /**
   * Servers of MCP that run in this application and that each session gets, such as `serveMcp(…)` of `@acp-kit/mcp`
   * creates.
   */
  readonly mcp?: ClientMcp;
  /**
   * The rules that decide permission requests, in order: the first rule that decides a request wins. If no rule
   * decides, the client rejects the tool call, and reports the diagnostic `no_permission_rule` for the first such
   * request.
   */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** Receives every permission decision, for an audit log. `agent.permissionDecisions` keeps the latest decisions. */
  readonly onPermissionDecision?: (decision: PermissionDecision) => void;
  readonly files?: FileHandlers;
  readonly terminals?: TerminalHandlers;
  readonly elicitation?: ElicitationHandlers;
  /**
   * The functions by which the application lets the user log in. Without them, calls that need a login reject with
   * `AuthRequiredError`.
   */
  readonly login?: LoginHandlers;
  /**
   * Receives every update of every session, before the listeners of the session itself, for example for a log. To
   * receive the updates of one prompt, read its turn instead.
   */
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
  /**
   * Capabilities that the client advertises although no handler belongs to them. Agents use only features that the
   * client advertises.
   */
  readonly supports?: {
    readonly notices?: boolean;
    readonly compaction?: boolean;
    readonly booleanConfigOptions?: boolean;
    /**
     * Whether the client can run an agent's login command in a terminal. The client advertises this automatically if
     * `login.terminal` is set.
     */
    readonly terminalAuth?: boolean;
  };
  /** The `_meta` of the client's capabilities, which advertises extensions. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>>;
  /** The handlers of extension methods, with names like `_vendor.com/name`. */
  readonly extensions?: Extensions;
  /**
   * A signal. If it aborts while the client connects, the attempt fails; if it aborts later, the connection is closed.
   */
  readonly signal?: AbortSignal;
  /** The limits of the connection. */
  readonly limits?: ConnectionLimits;
  /** Checks every message before it is sent; `@acp-kit/protocol/strict` exports such a function. */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, for a log or a recording; secrets are redacted. */
  readonly tap?: Tap;
  /** Whether `tap` receives messages without redaction, secrets included. The default is `false`. */
  readonly tapSecrets?: boolean;
  /** Receives reports of problems that no call can return. The library itself never writes to the console. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /**
   * What the client does with a prompt while a turn of the same session runs: with `queue` it sends the prompt after
   * the turn, with `reject` the result of the prompt's turn rejects, with `send` it sends the prompt at once, and the
   * agent decides when it begins; on version 1, `send` acts as `queue`. The default is `queue`.
   */
  readonly concurrentPrompts?: "queue" | "reject" | "send";
  /**
   * Whether the client sets the values of `session.options.set` again when it has reopened a session: after a restart
   * of the agent, or when an open session is loaded or resumed again. The default is `false`: the client keeps the
   * agent's values.
   */
  readonly reapplyOptions?: boolean;
  /** Features of the protocol that are not stable yet; `@acp-kit/client/unstable` exports them. */
  readonly unstable?: readonly UnstableFeature[];
}
