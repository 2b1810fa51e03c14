import { isRpcError } from "@acp-kit/protocol";
import { isDeeperThan, JsonRpcErrorCode, messageLimitDefaults } from "@acp-kit/protocol/internal";
import type {
  CreateTerminalRequest,
  PermissionOption,
  ToolCallContent,
  ToolCall as ToolCallFields,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from "@acp-kit/types";
import { type CallDecision, cancelledDecision, decisionOf, defaultPermissionOptions } from "./call-decision.js";
import type { ClientHandle } from "./client-handle.js";
import { content } from "./content.js";
import type { OwnTerminal, OwnTerminalInit } from "./own-terminal.js";
import type { Sent } from "./sent.js";
import type { SessionChannel } from "./session-channel.js";
import type { TerminalHandle } from "./terminal-handle.js";
import { versionOf } from "./versioned-session.js";
import type { VersionedUpdate } from "./versioned-update.js";

/** The members with which a tool call is created. Without `toolCallId`, the tool call gets a new id. */
export type ToolCallInit = Omit<ToolCallFields, "toolCallId"> & { readonly toolCallId?: string };

/** A change of a tool call. Absent members do not change; `content` and `locations` are replaced as a whole. */
export type ToolCallChange = Omit<ToolCallUpdate, "toolCallId">;

/** The members of a turn that its tool calls use. */
export interface ToolCallHost {
  readonly client: ClientHandle;
  readonly signal: AbortSignal | undefined;
  readonly channel: Pick<SessionChannel, "strict" | "version">;
  send(update: VersionedUpdate): Sent;
  report(message: string): void;
  /** Returns the host of a tool call that outlives the turn. */
  detached(): ToolCallHost;
}

/**
 * A tool call that the client shows. Creating the handle sends the tool call, `update` changes it, and `complete` or
 * `fail` ends it.
 *
 * The status of a tool call only advances: `pending`, `in_progress`, then `completed` or `failed`. Setting an earlier
 * status is a programming error. With the option `checkOutgoing`, the method that sets the status throws an `Error`.
 * Without the option, the handle sends the update without the status, and reports the diagnostic
 * `tool_call_moved_back`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export class ToolCallHandle {
  readonly id: string;
  #host: ToolCallHost;
  /** @internal Whether the tool call outlives its turn. */
  isDetached = false;
  /**
   * The members that say what the agent is going to do. Permission requests repeat them, because some clients show only
   * the request.
   */
  readonly #shown: Shown = {};
  #status: ToolCallStatus;

  /** @internal Created by `turn.toolCall`. */
  constructor(host: ToolCallHost, { toolCallId, ...fields }: ToolCallInit) {
    this.#host = host;
    this.id = toolCallId ?? `call_${crypto.randomUUID()}`;
    this.#status = fields.status ?? "pending";
    show(this.#shown, fields);
    void host.send({ sessionUpdate: "tool_call", toolCallId: this.id, ...fields });
  }

  get status(): ToolCallStatus {
    return this.#status;
  }

  /** The name of the tool, for programs. */
  get name(): string | undefined {
    return this.#shown.name ?? undefined;
  }

  get title(): string {
    return this.#shown.title ?? "";
  }

  get kind(): ToolKind | undefined {
    return this.#shown.kind ?? undefined;
  }

  get locations(): readonly ToolCallLocation[] {
    return this.#shown.locations ?? [];
  }

  /** The content of the tool call, as last sent. */
  get content(): readonly ToolCallContent[] {
    return this.#shown.content ?? [];
  }

  /** The input of the tool, as last sent. */
  get rawInput(): unknown {
    return this.#shown.rawInput;
  }

  /** Whether the tool call has completed or failed. */
  get ended(): boolean {
    return order[this.#status] === 2;
  }

  /** Sends a change of the tool call. */
  update(change: ToolCallChange): Sent {
    const { status } = change;
    const fields = status == null || this.#setStatus(status) ? change : withoutStatus(change);
    show(this.#shown, change);
    return this.#host.send({ sessionUpdate: "tool_call_update", toolCallId: this.id, ...fields });
  }

  /** Adds text, content blocks or diffs to the content of the tool call. Version 2 sends only what is new. */
  add(...contents: readonly (string | ToolCallContent)[]): Sent {
    const added = contents.map((one) => (typeof one === "string" ? content(one) : one));
    return this.update({ content: [...this.content, ...added] });
  }

  /**
   * Sets the status. Returns `false` if the new status can't follow the current one, for example `failed` after
   * `completed`.
   */
  #setStatus(status: ToolCallStatus): boolean {
    if (order[status] < order[this.#status] || (this.ended && status !== this.#status)) {
      const message = `Tool call ${this.id} is ${this.#status} and can't become ${status}`;
      if (this.#host.channel.strict) throw new Error(message);
      this.#host.report(message);
      return false;
    }
    this.#status = status;
    return true;
  }

  /** Sets the status of the tool call to `in_progress`. */
  start(): Sent {
    return this.update({ status: "in_progress" });
  }

  /**
   * Sets the status of the tool call to `completed`. If `result` is a string, it is added to the content of the tool
   * call.
   */
  complete(result: string | Omit<ToolCallChange, "status"> = {}): Sent {
    return this.update({ ...this.#changeOf(result), status: "completed" });
  }

  /**
   * Sets the status of the tool call to `failed`, because the call failed or was not permitted to run. If `reason` is a
   * string, it is added to the content of the tool call.
   */
  fail(reason: string | Omit<ToolCallChange, "status"> = {}): Sent {
    return this.update({ ...this.#changeOf(reason), status: "failed" });
  }

  /** Ends the tool call because it was cancelled. In version 1, where that status does not exist, it is `failed`. */
  cancel(): Sent {
    const status = this.#host.channel.version === undefined ? "failed" : "cancelled";
    return this.update({ status: status as ToolCallStatus });
  }

  /**
   * Lets the tool call outlive its turn: the call continues in the background, and its later updates are sent outside
   * of turns. The agent completes it, or ends it with `fail` or `cancel`.
   *
   * In version 2, the client gets the call in the list of the background work. With `cancel`, the client can cancel it;
   * `cancel` is also called when the session is closed and when the connection ends. It should end the call.
   */
  detach({ cancel }: { readonly cancel?: () => void } = {}): void {
    if (this.ended) return;
    this.#host = this.#host.detached();
    this.isDetached = true;
    this.#host.channel.version?.detach(this, cancel);
  }

  /**
   * Shows a command that the agent runs itself in a terminal of the tool call. The handle sends its output and exit.
   *
   * @throws {CapabilityError} when the agent was created without the option `versions`.
   */
  ownTerminal(init: OwnTerminalInit): OwnTerminal {
    return versionOf(this.#host.channel.version, "ownTerminal").openTerminal(this, init, (update) =>
      this.#host.send(update),
    );
  }

  #changeOf(change: string | Omit<ToolCallChange, "status">): Omit<ToolCallChange, "status"> {
    return typeof change === "string" ? { content: [...this.content, content(change)] } : change;
  }

  /**
   * Sends a permission request for the tool call and returns the decision. The request contains the title, kind, name,
   * locations, content and input of the tool call, as last sent, with `change`. If content and input together are
   * larger than 8,000,000 characters of JSON, the request leaves them out; the client has received them with the tool
   * call.
   *
   * Run the tool only if `allowed` of the decision is `true`. `allowed` is `false` if the turn was cancelled, or if the
   * client responded with an option that was not offered.
   *
   * @throws {ConnectionError} when the client disconnects.
   */
  async requestPermission(
    options: readonly PermissionOption[] = defaultPermissionOptions,
    change: ToolCallChange = {},
  ): Promise<CallDecision> {
    try {
      const toolCall = { toolCallId: this.id, ...repeatable(this.#shown), ...change };
      const response = await this.#host.client.requestPermission({ toolCall, options: [...options] });
      // A client may send the user's decision after its own `session/cancel`.
      return this.#host.signal?.aborted === true ? cancelledDecision : decisionOf(response, options);
    } catch (error) {
      const cancelled =
        this.#host.signal?.aborted === true || (isRpcError(error) && error.code === JsonRpcErrorCode.requestCancelled);
      if (cancelled) return cancelledDecision;
      throw error;
    }
  }

  /**
   * Runs a command in a terminal of the client, which the tool call shows. The agent has to release the returned
   * terminal. If the method rejects, the command does not run.
   */
  async terminal(params: Omit<CreateTerminalRequest, "sessionId">): Promise<TerminalHandle> {
    const terminal = await this.#host.client.createTerminal(params);
    try {
      await this.add({ type: "terminal", terminalId: terminal.terminalId });
    } catch (error) {
      await terminal[Symbol.asyncDispose](); // the caller gets no handle with which to release the terminal
      throw error;
    }
    return terminal;
  }
}

const order: Readonly<Record<ToolCallStatus | "cancelled", number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
};

type Shown = Pick<ToolCallUpdate, "title" | "kind" | "name" | "locations" | "content" | "rawInput">;

/**
 * Copies the present members of a change to `shown`, in place. Most changes have none of these members, and creating a
 * new object would take more time than all other steps of a change.
 */
function show(shown: Shown, { title, kind, name, locations, content: shownContent, rawInput }: Shown): void {
  if (title != null) shown.title = title;
  if (kind != null) shown.kind = kind;
  if (name != null) shown.name = name;
  if (locations != null) shown.locations = locations;
  if (shownContent != null) shown.content = shownContent;
  if (rawInput != null) shown.rawInput = rawInput;
}

/**
 * The maximum length of the content and the input in a permission request. Sent one by one, each of them can be as
 * large as a message.
 */
const maxRepeated = 8_000_000;

/** Returns the members that a permission request repeats. */
function repeatable(shown: Shown): Shown {
  const { content: shownContent, rawInput, ...rest } = shown;
  const repeated = [shownContent, rawInput];
  const fits =
    !isDeeperThan(repeated, messageLimitDefaults.maxMessageDepth) && JSON.stringify(repeated).length <= maxRepeated;
  return fits ? shown : rest;
}

function withoutStatus({ status, ...rest }: ToolCallChange): ToolCallChange {
  return rest;
}
