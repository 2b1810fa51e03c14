import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import type { Outcome } from "../journal/journal-entry.js";

/**
 * The params with which an agent opens a session. These params may contain secrets (`mcpServers`), so they are never
 * written to the journal.
 */
export interface SessionOpening {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers: readonly unknown[];
  /** The version of `mcpServers`. Absent: 1. */
  readonly version?: 2 | undefined;
}

/** The requests of the session's agent that an attached client can handle. */
export interface ClientAbilities {
  /** Whether the client may respond to permission requests and elicitations. An observer may not. */
  readonly isInteractive: boolean;
  /** The file and terminal methods that the client serves, according to its capabilities. */
  readonly serves: readonly string[];
  /**
   * Whether the client may continue on another connection. After its connection has broken, it stays attached for
   * `reconnectTimeoutMs`. An observer handles no requests, so it doesn't.
   */
  readonly mayReturn: boolean;
}

/** The MCP servers that a client serves over its connection (type `acp`), by their ids. */
export interface ServersOfClient {
  readonly ids: readonly string[];
  /** The replica to which the client is connected. */
  readonly replica: string;
}

/**
 * A command of a client to the owner of a session. Replicas send commands as JSON. A command may arrive more than once.
 *
 * - `prompt`: run a turn. The response to the prompt is in the journal entry that ends the turn. A prompt with the same
 *   `key` runs only once.
 * - `cancel`: drop the client's queued prompts and cancel its running turn. If the client has no queued prompts, cancel
 *   the turn of any client. With `upTo`, only if that turn began at or before this position.
 * - `call`: any other request of the client about the session. If the agent does not speak the version of the params
 *   any more, the call is refused.
 * - `respond`: the client's response to a request of the agent.
 * - `attach`: the client is attached, on the connection with this id. The replica of the connection repeats this
 *   command at intervals. `leave`: the client has left this connection. If the client is attached on a later
 *   connection, it stays attached.
 * - `close`: the client closes the session. When no client is left that may change the session, the owner closes it.
 *   Observers don't send this command.
 * - `end`: close the session for all clients, because it will be deleted.
 * - `trim`: remove expired turns before a client reads the session.
 */
export type Command =
  | {
      readonly is: "prompt";
      readonly client: string;
      readonly key: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly opening: SessionOpening;
    }
  | { readonly is: "cancel"; readonly client: string; readonly upTo?: Position | undefined }
  | {
      readonly is: "call";
      readonly client: string;
      /** The version of `params`. Absent: 1. */
      readonly version?: 2 | undefined;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly opening: SessionOpening;
    }
  | { readonly is: "notify"; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly is: "respond"; readonly client: string; readonly request: string; readonly outcome: Outcome }
  | {
      readonly is: "attach";
      readonly client: string;
      readonly connection: string;
      readonly abilities: ClientAbilities;
      readonly servers?: ServersOfClient | undefined;
    }
  | { readonly is: "leave"; readonly client: string; readonly connection: string }
  | { readonly is: "close"; readonly client: string }
  | { readonly is: "end" | "trim" };

/**
 * A command between the replica of an agent and that of a client that serves an MCP server. It may arrive more than
 * once.
 *
 * - `mcp_call`: send a call to the client. The reply has the client's response. `call` is unique among all replicas.
 * - `mcp_wait`: asks for the reply to a call once more. It has the id of the letter with the call, so it is executed
 *   only if that letter did not arrive.
 * - `mcp_cancel`: cancel a call.
 * - `mcp_notified`: a notification of the client that belongs to a call, for the agent.
 */
export type McpCommand =
  | { readonly is: "mcp_call"; readonly call: string; readonly from: string; readonly params: unknown }
  | { readonly is: "mcp_wait" }
  | { readonly is: "mcp_cancel"; readonly call: string }
  | { readonly is: "mcp_notified"; readonly params: object };

export function isMcpCommand(command: Command | McpCommand): command is McpCommand {
  return command.is.startsWith("mcp_");
}

/** The owner's reply to a command that it has executed: see {@link Reply}. */
export interface DoneReply {
  readonly is: "done";
  readonly at: number;
  readonly epoch: number;
  readonly outcome?: Outcome;
}

/**
 * The owner's reply to a command that it has not executed: see {@link Reply}. `failed`: the replica was the owner with
 * this epoch, and is ending the session because the engine does not accept its entries. The next owner may be able to
 * write them.
 */
export interface NotOwnerReply {
  readonly is: "not_owner";
  readonly failed?: { readonly epoch: number; readonly error: ErrorObject };
}

/**
 * The owner's reply to a command:
 *
 * - `done`: the command was executed. A `call` has an outcome. `at` is the number of the journal's last entry; the
 *   client must receive all entries up to `at` before the reply. `epoch` is the epoch of this entry. If a client has
 *   received an entry after `at` with an older epoch, a failover has lost this entry.
 * - `refused`: the command was rejected with an error.
 * - `not_owner`: the command was not executed, because this replica does not own the session.
 */
export type Reply = DoneReply | { readonly is: "refused"; readonly error: ErrorObject } | NotOwnerReply;
