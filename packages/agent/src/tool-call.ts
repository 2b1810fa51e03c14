import { ErrorCode, isRpcError } from "@acp-kit/protocol";
import type {
  CreateTerminalRequest,
  PermissionOption,
  SessionUpdate,
  ToolCallContent,
  ToolCall as ToolCallFields,
  ToolCallStatus,
  ToolCallUpdate,
} from "@acp-kit/schema";
import type { ClientHandle } from "./client-handle.js";
import { content } from "./content.js";
import { cancelledDecision, decisionOf, defaultPermissionOptions, type PermissionDecision } from "./permission.js";
import type { Sent } from "./session-channel.js";
import type { Terminal } from "./terminal.js";

/** How a tool call begins. Without an id it gets a new one. */
export type ToolCallInit = Omit<ToolCallFields, "toolCallId"> & { readonly toolCallId?: string };

/** What may change while it runs. Absent keeps, present replaces; `content` and `locations` are replaced whole. */
export type ToolCallChange = Omit<ToolCallUpdate, "toolCallId">;

/** What a tool call needs of the turn around it. */
export interface ToolCallHost {
  readonly client: ClientHandle;
  readonly signal: AbortSignal | undefined;
  send(update: SessionUpdate): Sent;
}

/**
 * One tool call as the client shows it: announced when it is made, changed by `update`, ended by `complete` or `fail`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export class ToolCall {
  readonly id: string;
  readonly #host: ToolCallHost;
  /** What a permission dialog shows of it: a client that was not told before has it all. */
  #shown: Pick<ToolCallUpdate, "title" | "kind" | "locations">;
  #status: ToolCallStatus;
  #content: readonly ToolCallContent[];

  /** @internal Made by `turn.toolCall`. */
  constructor(host: ToolCallHost, { toolCallId, ...fields }: ToolCallInit) {
    this.#host = host;
    this.id = toolCallId ?? `call_${crypto.randomUUID()}`;
    this.#status = fields.status ?? "pending";
    this.#content = fields.content ?? [];
    this.#shown = shownOf(fields);
    void host.send({ sessionUpdate: "tool_call", toolCallId: this.id, ...fields });
  }

  get status(): ToolCallStatus {
    return this.#status;
  }

  /** It has been completed or has failed. */
  get ended(): boolean {
    return this.#status === "completed" || this.#status === "failed";
  }

  /** Tells the client what has changed. */
  update(change: ToolCallChange): Sent {
    this.#status = change.status ?? this.#status;
    this.#content = change.content ?? this.#content;
    this.#shown = { ...this.#shown, ...shownOf(change) };
    return this.#host.send({ sessionUpdate: "tool_call_update", toolCallId: this.id, ...change });
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
  ): Promise<PermissionDecision> {
    try {
      const toolCall = { toolCallId: this.id, ...this.#shown, ...change };
      const answer = await this.#host.client.requestPermission({ toolCall, options: [...options] });
      return decisionOf(answer, options);
    } catch (error) {
      const cancelled =
        this.#host.signal?.aborted === true || (isRpcError(error) && error.code === ErrorCode.RequestCancelled);
      if (cancelled) return cancelledDecision;
      throw error;
    }
  }

  /** Runs a command in the client's terminal and shows it in this call. Release what it returns. */
  async terminal(params: Omit<CreateTerminalRequest, "sessionId">): Promise<Terminal> {
    const terminal = await this.#host.client.createTerminal(params);
    await this.update({ content: [...this.#content, { type: "terminal", terminalId: terminal.terminalId }] });
    return terminal;
  }
}

function shownOf({ title, kind, locations }: ToolCallChange): Pick<ToolCallUpdate, "title" | "kind" | "locations"> {
  return { ...(title != null && { title }), ...(kind != null && { kind }), ...(locations != null && { locations }) };
}
