import { isRpcError, JsonRpcErrorCode } from "@acp-kit/protocol";
import type {
  CreateTerminalRequest,
  PermissionOption,
  SessionUpdate,
  ToolCallContent,
  ToolCall as ToolCallFields,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from "@acp-kit/types";
import type { ClientHandle } from "./client-handle.js";
import { content } from "./content.js";
import { cancelledDecision, decisionOf, defaultPermissionOptions, type PermissionOutcome } from "./permission.js";
import type { Sent } from "./session-channel.js";
import type { TerminalHandle } from "./terminal-handle.js";

/** How a tool call begins. Without an id it gets a new one. */
export type ToolCallInit = Omit<ToolCallFields, "toolCallId"> & { readonly toolCallId?: string };

/** What may change while it runs. Absent keeps, present replaces; `content` and `locations` are replaced whole. */
export type ToolCallChange = Omit<ToolCallUpdate, "toolCallId">;

/** What a tool call needs of the turn around it. */
export interface ToolCallHost {
  readonly client: ClientHandle;
  readonly signal: AbortSignal | undefined;
  /** Whether an illegal move is thrown rather than reported. */
  readonly strict: boolean;
  send(update: SessionUpdate): Sent;
  report(message: string): void;
}

/**
 * One tool call as the client shows it: announced when it is made, changed by `update`, ended by `complete` or `fail`.
 *
 * Its status only moves on: `pending`, `in_progress`, then `completed` or `failed` for good. A move back is a mistake of the author: it
 * throws an `Error` where `checkOutgoing` is on, and is otherwise reported (`tool_call_moved_back`) and left out of the update.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export class ToolCallHandle {
  readonly id: string;
  readonly #host: ToolCallHost;
  #name: string | undefined;
  /** What a permission dialog shows of it: a client that was not told before has it all. */
  readonly #shown: Shown = {};
  #status: ToolCallStatus;
  #content: readonly ToolCallContent[];

  /** @internal Made by `turn.toolCall`. */
  constructor(host: ToolCallHost, { toolCallId, ...fields }: ToolCallInit) {
    this.#host = host;
    this.id = toolCallId ?? `call_${crypto.randomUUID()}`;
    this.#status = fields.status ?? "pending";
    this.#content = fields.content ?? [];
    show(this.#shown, fields);
    this.#name = fields.name ?? undefined;
    void host.send({ sessionUpdate: "tool_call", toolCallId: this.id, ...fields });
  }

  get status(): ToolCallStatus {
    return this.#status;
  }

  /** The name of the tool, for programs. */
  get name(): string | undefined {
    return this.#name;
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

  /** What it shows, as the client was last told. */
  get content(): readonly ToolCallContent[] {
    return this.#content;
  }

  /** It has been completed or has failed. */
  get ended(): boolean {
    return this.#status === "completed" || this.#status === "failed";
  }

  /** Tells the client what has changed. */
  update(change: ToolCallChange): Sent {
    const { status } = change;
    const fields = status == null || this.#moves(status) ? change : withoutStatus(change);
    this.#content = change.content ?? this.#content;
    show(this.#shown, change);
    this.#name = change.name ?? this.#name;
    return this.#host.send({ sessionUpdate: "tool_call_update", toolCallId: this.id, ...fields });
  }

  /** Adds to what it shows: text, blocks, diffs. */
  add(...contents: readonly (string | ToolCallContent)[]): Sent {
    const added = contents.map((one) => (typeof one === "string" ? content(one) : one));
    return this.update({ content: [...this.#content, ...added] });
  }

  /** Whether the status may become that; then it is. */
  #moves(status: ToolCallStatus): boolean {
    if (order[status] < order[this.#status] || (this.ended && status !== this.#status)) {
      const message = `Tool call ${this.id} is ${this.#status} and can't become ${status}`;
      if (this.#host.strict) throw new Error(message);
      this.#host.report(message);
      return false;
    }
    this.#status = status;
    return true;
  }

  /** It runs now. */
  start(): Sent {
    return this.update({ status: "in_progress" });
  }

  /** It has succeeded. */
  complete(change: Omit<ToolCallChange, "status"> = {}): Sent {
    return this.update({ ...change, status: "completed" });
  }

  /** It has failed, or was not allowed to run. A text is added to its content. */
  fail(reason: string | Omit<ToolCallChange, "status"> = {}): Sent {
    const change = typeof reason === "string" ? { content: [...this.#content, content(reason)] } : reason;
    return this.update({ ...change, status: "failed" });
  }

  /**
   * Asks the user whether it may run. Only `decision.allowed` permits it: a cancelled turn, a client that answers something
   * that was not offered and a client that is gone all count as not allowed.
   */
  async requestPermission(
    options: readonly PermissionOption[] = defaultPermissionOptions,
    change: ToolCallChange = {},
  ): Promise<PermissionOutcome> {
    try {
      const toolCall = { toolCallId: this.id, ...this.#shown, ...change };
      const answer = await this.#host.client.requestPermission({ toolCall, options: [...options] });
      return decisionOf(answer, options);
    } catch (error) {
      const cancelled =
        this.#host.signal?.aborted === true || (isRpcError(error) && error.code === JsonRpcErrorCode.requestCancelled);
      if (cancelled) return cancelledDecision;
      throw error;
    }
  }

  /** Runs a command in the client's terminal and shows it in this call. Release what it returns. */
  async terminal(params: Omit<CreateTerminalRequest, "sessionId">): Promise<TerminalHandle> {
    const terminal = await this.#host.client.createTerminal(params);
    await this.add({ type: "terminal", terminalId: terminal.terminalId });
    return terminal;
  }
}

const order: Readonly<Record<ToolCallStatus, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 2 };

type Shown = Pick<ToolCallUpdate, "title" | "kind" | "locations">;

/** Notes in `shown` what a change tells of it. In place: most changes tell nothing of it, and copies would cost more than the rest. */
function show(shown: Shown, { title, kind, locations }: Shown): void {
  if (title != null) shown.title = title;
  if (kind != null) shown.kind = kind;
  if (locations != null) shown.locations = locations;
}

function withoutStatus({ status, ...rest }: ToolCallChange): ToolCallChange {
  return rest;
}
