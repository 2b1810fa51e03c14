import {
  type PermissionPolicy,
  type TextStream,
  type ToolCallChange,
  type ToolCallHandle,
  type Turn,
  toolKind,
} from "@acp-kit/agent";
import type { ContentBlock, ToolKind } from "@acp-kit/types";
import { isFailedResult, outputContent } from "./blocks.js";
import { metaOf, toJson } from "./json.js";
import type { AnyPart, TokenUsage } from "./stream-part.js";
import { addUsage } from "./token-usage.js";
import type { ToolView, ToolViews } from "./tool-view.js";
import type { TurnCalls } from "./turn-calls.js";

/** Options for sending the parts of a stream. */
export interface TurnWriterOptions {
  /** How the client shows the calls of a tool, by the name of the tool. */
  readonly views?: ToolViews;
  /** The kind of each tool whose name doesn't suggest its kind, by the name of the tool. */
  readonly kinds?: Readonly<Record<string, ToolKind>>;
  /** The policy for approval requests. The default `ask` prompts the user, unless a remembered decision applies. */
  readonly permission?: PermissionPolicy;
  /** The time in milliseconds during which text is joined into one chunk. By default, each delta is a chunk. */
  readonly coalesceMs?: number;
  /** Whether pieces of a tool's input are sent in `_meta` as they arrive. The default is only the whole input. */
  readonly inputDeltas?: boolean;
  /** The size of the model's context in tokens. Without this option, the client gets no usage update. */
  readonly contextWindow?: number;
  /** The tools of the model, if known. A call with `needsApproval` keeps the status `pending` until approved. */
  readonly tools?: Readonly<Record<string, { readonly needsApproval?: unknown }>>;
}

/** The decision about an approval request, as one part of a tool message for the model. */
export interface ToolApproval {
  readonly type: "tool-approval-response";
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

type Speaker = "message" | "thought";

/** Sends the parts of a stream to the client as updates of a turn. */
export class TurnWriter {
  readonly #turn: Turn;
  readonly #options: TurnWriterOptions;
  readonly #calls: TurnCalls;
  readonly #texts = new Map<string, TextStream>();
  /** The ids of the calls whose content is an output of the tool. A later output may replace such content. */
  readonly #outputs = new Set<string>();
  readonly #approvals: ToolApproval[] = [];
  #asking: Promise<void> = Promise.resolve();
  #problem: { readonly error: unknown } | undefined;
  aborted = false;
  steps = 0;
  finishReason: string | undefined;
  /** The total usage that the stream itself reports. */
  totalUsage: TokenUsage | undefined;
  #stepsUsage: TokenUsage | undefined;

  constructor(turn: Turn, calls: TurnCalls, options: TurnWriterOptions) {
    this.#turn = turn;
    this.#calls = calls;
    this.#options = options;
  }

  // ── text
  // ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

  startText(speaker: Speaker, id: string): TextStream {
    const { coalesceMs } = this.#options;
    const options = coalesceMs === undefined ? {} : { coalesceMs };
    const text = speaker === "message" ? this.#turn.messageStream(options) : this.#turn.thoughtStream(options);
    this.#texts.set(`${speaker} ${id}`, text);
    return text;
  }

  async writeText(speaker: Speaker, id: string, text: string): Promise<void> {
    await (this.#texts.get(`${speaker} ${id}`) ?? this.startText(speaker, id)).write(text);
  }

  endText(speaker: Speaker, id: string): void {
    this.#texts.delete(`${speaker} ${id}`);
  }

  async block(speaker: Speaker, block: ContentBlock): Promise<void> {
    await (speaker === "message" ? this.#turn.messageStream() : this.#turn.thoughtStream()).write(block);
  }

  /** Sends data for which the protocol has no update. */
  async extra(members: Readonly<Record<string, unknown>>): Promise<void> {
    const meta = metaOf(members);
    if (meta._meta !== undefined) await this.#turn.info(meta);
  }

  // ── tools
  // ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Returns the call of a part. If the call is not known, for example because the part is the result of a call in an
   * earlier stream, announces it to the client.
   */
  call(part: AnyPart): ToolCallHandle {
    const { id = "", toolCallId = id, toolName, title } = part;
    const known = this.#calls.get(toolCallId);
    if (known !== undefined) return known;
    const name = toolName ?? "tool";
    const { dynamic, providerExecuted, providerMetadata, toolMetadata } = part;
    return this.#calls.announce({
      toolCallId,
      title: title ?? name,
      ...(toolName !== undefined && { name: toolName }),
      kind: this.#view(toolName)?.kind ?? toolKind(name, this.#options.kinds),
      status: "pending",
      ...metaOf({ dynamic, providerExecuted, providerMetadata, toolMetadata }),
    });
  }

  async inputDelta(part: AnyPart): Promise<void> {
    const inputTextDelta = part.inputTextDelta ?? part.delta;
    if (this.#options.inputDeltas === true) await this.call(part).update(metaOf({ inputTextDelta }));
  }

  async input(part: AnyPart): Promise<void> {
    const call = this.call(part);
    const needsApproval = this.#options.tools?.[part.toolName ?? ""]?.needsApproval ?? false;
    // No tool runs for an invalid input, and a view could not read it
    if (part.invalid === true) return void (await call.update({ rawInput: toJson(part.input) }));
    const status = needsApproval === false && !call.ended ? ({ status: "in_progress" } as const) : {};
    const shown = this.#view(part.toolName)?.input?.(part.input as never) ?? {};
    await call.update({ ...status, rawInput: toJson(part.input), ...shown });
  }

  async output(part: AnyPart): Promise<void> {
    const call = this.call(part);
    if (call.ended) return;
    const { output, input, preliminary } = part;
    const shown = this.#view(call.name)?.output?.(output as never, input as never) ?? this.#outputContent(call, output);
    const change: ToolCallChange = { rawOutput: toJson(output), ...shown };
    if (preliminary === true) await call.update({ ...change, status: "in_progress" });
    else await (isFailedResult(output) ? call.fail(change) : call.complete(change));
  }

  /** Returns the output as content, unless the view or the tool has set content, such as a diff or a terminal. */
  #outputContent(call: ToolCallHandle, output: unknown): ToolCallChange {
    if (call.content.length > 0 && !this.#outputs.has(call.id)) return {};
    this.#outputs.add(call.id);
    return { content: outputContent(output) };
  }

  async fail(part: AnyPart, reason: string): Promise<void> {
    const call = this.call(part);
    if (!call.ended) await call.fail(reason);
  }

  /** Fails the open calls, because the model repeats the step. */
  async resetStep(): Promise<void> {
    for (const call of this.#calls.open) await call.fail("The step was reset");
    await this.extra({ resetStep: true });
  }

  // ── approvals
  // ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sends a permission request. Requests are sent one after the other, so that a decision of "always" applies to later
   * requests. The stream continues in the meantime.
   */
  approval({ toolCall, toolCallId = toolCall?.toolCallId ?? "", approvalId = "", isAutomatic }: AnyPart): void {
    if (isAutomatic === true) return;
    const call = this.call({ ...toolCall, type: "tool-call", toolCallId });
    const request = this.#asking.then(async () => {
      const { allowed, by } = await this.#turn.permit(call, this.#options.permission);
      const reason = by === "none" ? "No decision was made" : "Not permitted";
      await (allowed ? call.start() : call.fail(reason));
      this.#approvals.push({
        type: "tool-approval-response",
        approvalId,
        approved: allowed,
        ...(!allowed && { reason: by === "user" ? "The user rejected the tool call" : reason }),
      });
    });
    this.#asking = request;
    request.catch(() => {}); // awaited when the stream has ended
  }

  async approved({ toolCall, toolCallId = toolCall?.toolCallId, approved }: AnyPart): Promise<void> {
    const call = toolCallId === undefined ? undefined : this.#calls.get(toolCallId);
    if (call === undefined || call.ended) return;
    await (approved === true ? call.start() : call.fail("Not permitted"));
  }

  /** Returns the decisions on all approval requests of the stream. */
  async approvals(): Promise<readonly ToolApproval[]> {
    await this.#asking;
    return this.#approvals;
  }

  // ── the end
  // ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The tokens of the stream. A cancelled stream reports no total: the sum of its steps. */
  get usage(): TokenUsage | undefined {
    return this.totalUsage ?? this.#stepsUsage;
  }

  async used(usage: TokenUsage | undefined): Promise<void> {
    this.#stepsUsage = addUsage(this.#stepsUsage, usage);
    const { contextWindow } = this.#options;
    if (usage === undefined || contextWindow === undefined) return;
    const used = usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    await this.#turn.usage({ used, size: contextWindow });
  }

  /** Stores an error of the stream. Only the first error counts. */
  failed(error: unknown): void {
    this.#problem ??= { error };
  }

  throwIfFailed(): void {
    if (this.#problem !== undefined) throw this.#problem.error;
    if (this.finishReason === "error") throw new Error("The model ended with an error, without a message");
  }

  #view(toolName: string | undefined): ToolView | undefined {
    const { views = {} } = this.#options;
    return toolName !== undefined && Object.hasOwn(views, toolName) ? views[toolName] : undefined;
  }
}
