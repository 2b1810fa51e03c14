import { deferred } from "@acp-kit/protocol/internal";
import type { IncomingContentBlock, IncomingPromptRequest } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { CallDecision } from "./call-decision.js";
import { type PermissionPolicy, type PermitOptions, permit } from "./permit.js";
import type { Outlet, SessionChannel } from "./session-channel.js";
import { SessionHandle } from "./session-handle.js";
import type { ToolCallHandle, ToolCallInit } from "./tool-call-handle.js";
import type { PromptResult } from "./turn-policy.js";
import type { VersionedUpdate } from "./versioned-update.js";

/** Runs one turn to its end. */
export type PlayTurn = (turn: Turn) => Promise<PromptResult>;

/** The methods that end a turn. They are separate from {@link Turn}, so that handlers can't call them. */
export interface TurnControl {
  readonly turn: Turn;
  /** Aborts the turn's signal. Only the first call has an effect. */
  abort(reason: unknown): void;
  /**
   * Passes a prompt that arrived during the turn to the listener. Returns `false` if there is no listener, or if the
   * turn was cancelled or has ended, so that the handler would ignore the prompt.
   */
  offer(request: IncomingPromptRequest): boolean;
  /** Ends the turn before its response is sent: later updates are dropped. */
  end(outcome: "finished" | "aborted"): void;
}

/**
 * A prompt and the agent's work on it. When the prompt handler returns, the library sends the response to the prompt,
 * after all updates of the turn. Updates that the handler sends later are dropped and reported.
 *
 * @see https://agentclientprotocol.com/protocol/v1/prompt-turn
 */
export class Turn extends SessionHandle {
  /** The content blocks of the user's prompt. */
  readonly prompt: readonly IncomingContentBlock[];
  /** The params of the request `session/prompt`, including `_meta`. */
  readonly request: IncomingPromptRequest;
  /**
   * A signal that aborts when the client cancels the turn, closes the session or disconnects. Pass it to all functions
   * that accept one.
   */
  readonly signal: AbortSignal;
  /** @internal Resolves when the turn has ended, even if the handler of a cancelled turn still runs. */
  readonly over: Promise<void>;
  readonly #track: (call: ToolCallHandle) => void;
  #onPrompt: ((request: IncomingPromptRequest) => void) | undefined;
  #beforeMerge: ((request: IncomingPromptRequest) => boolean) | undefined;

  private constructor(
    peer: AgentPeer,
    channel: SessionChannel,
    request: IncomingPromptRequest,
    signal: AbortSignal,
    out: Outlet,
    track: (call: ToolCallHandle) => void,
    over: Promise<void>,
  ) {
    super(peer, channel, signal, out);
    this.request = request;
    this.prompt = request.prompt;
    this.signal = signal;
    this.over = over;
    this.#track = track;
  }

  /** The text of the prompt: its text blocks, joined by newlines. */
  get text(): string {
    const texts = this.prompt.flatMap((block) => (block.type === "text" ? [(block as { text: string }).text] : []));
    return texts.join("\n");
  }

  /**
   * Registers a listener for prompts that arrive during this turn and become part of it, so that the user can steer the
   * agent while it works. This needs the option `concurrentPrompts: "merge"`. The library responds to these prompts
   * together with the first prompt, at the end of the turn. Without a listener, and after the turn was cancelled, a
   * prompt that arrives during the turn is queued.
   */
  onPrompt(listener: (request: IncomingPromptRequest) => void): void {
    this.#onPrompt = listener;
  }

  /**
   * @internal Registers a function that decides whether a prompt becomes part of this turn. With `false`, the prompt is
   * queued; an error rejects it.
   */
  beforeMerge(decide: (request: IncomingPromptRequest) => boolean): void {
    this.#beforeMerge = decide;
  }

  /**
   * @internal Passes a prompt that arrived during the turn to the listener. Returns `false` if the turn does not accept
   * it.
   */
  offer(request: IncomingPromptRequest): boolean {
    if (this.#onPrompt === undefined || this.#beforeMerge?.(request) === false) return false;
    this.#onPrompt(request);
    return true;
  }

  /**
   * Sends a new tool call and returns its handle. If the turn is cancelled or fails, the library marks its open tool
   * calls as failed (version 2: cancelled), except for those that were detached.
   */
  override toolCall(init: ToolCallInit): ToolCallHandle {
    const call = this.newToolCall(init, this.signal);
    this.#track(call);
    return call;
  }

  /**
   * Decides whether a tool call may run: by the policy, by a remembered decision of "always", or by a permission
   * request. If the policy decides `allow` or `reject`, the library sends nothing to the client.
   *
   * @example
   * ```ts
   * const { allowed } = await turn.permit(edit, ({ kind }) => (kind === "read" ? "allow" : "ask"));
   * ```
   */
  permit(call: ToolCallHandle, policy: PermissionPolicy = "ask", options?: PermitOptions): Promise<CallDecision> {
    return permit(call, policy, this.permissions, options);
  }

  /** @internal Called when a prompt arrives. */
  static open(peer: AgentPeer, channel: SessionChannel, request: IncomingPromptRequest): TurnControl {
    const controller = new AbortController();
    const calls: ToolCallHandle[] = [];
    const over = deferred<void>();
    let ended = false;
    const reportLate = ({ sessionUpdate }: VersionedUpdate): undefined => {
      const message = `A ${sessionUpdate} was dropped: its turn had ended. Is an await missing?`;
      peer.report({ code: "update_after_turn", message });
    };
    const out: Outlet = {
      get version() {
        return channel.version;
      },
      send: (update) => (ended ? reportLate(update) : channel.send(update)),
      accumulate: (chunk, ms) => (ended ? reportLate(chunk) : channel.accumulate(chunk, ms)),
    };
    const turn = new Turn(peer, channel, request, controller.signal, out, (call) => calls.push(call), over.promise);
    return {
      turn,
      abort: (reason) => controller.abort(reason),
      offer: (prompt) => !ended && !controller.signal.aborted && turn.offer(prompt),
      end(outcome) {
        if (ended) return;
        for (const call of calls) {
          if (call.ended || call.isDetached) continue;
          if (outcome === "aborted") cancelQuietly(call);
          else
            peer.report({
              code: "tool_call_left_open",
              message: `Tool call ${call.id} was still open when its turn ended`,
            });
        }
        channel.flush();
        ended = true;
        over.resolve();
      },
    };
  }
}

/**
 * Marks a tool call as cancelled. If `beforeUpdate` throws, ignores the error, because the turn already ends as
 * cancelled or failed.
 */
function cancelQuietly(call: ToolCallHandle): void {
  try {
    void call.cancel();
  } catch {}
}
