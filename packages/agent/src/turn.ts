import type { IncomingContentBlock, IncomingPromptRequest, SessionUpdate } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import { type PermissionPolicy, type Permit, type PermitOptions, permit } from "./permit.js";
import type { SessionChannel } from "./session-channel.js";
import { type Outlet, SessionHandle } from "./session-handle.js";
import type { ToolCallHandle, ToolCallInit } from "./tool-call-handle.js";

/** What a turn needs to end. Kept apart from {@link Turn}, so that handlers can't. */
export interface TurnControl {
  readonly turn: Turn;
  /** The client, or the end of the connection, wants it to stop. The first reason wins. */
  abort(reason: unknown): void;
  /** Its response is about to be written: no update of it leaves any more. */
  end(outcome: "finished" | "aborted"): void;
}

/**
 * One prompt and everything the agent does about it. Every update leaves before the turn's response, because the response is
 * written when the prompt handler returns, and what comes later is dropped and reported.
 *
 * @see https://agentclientprotocol.com/protocol/v1/prompt-turn
 */
export class Turn extends SessionHandle {
  /** What the user sent. */
  readonly prompt: readonly IncomingContentBlock[];
  /** The request as it came, `_meta` included. */
  readonly request: IncomingPromptRequest;
  /** Aborts when the client cancels the turn, closes the session or goes away. Give it to everything that takes one. */
  readonly signal: AbortSignal;
  readonly #track: (call: ToolCallHandle) => void;
  #onPrompt: ((request: IncomingPromptRequest) => void) | undefined;

  private constructor(
    peer: AgentPeer,
    channel: SessionChannel,
    request: IncomingPromptRequest,
    signal: AbortSignal,
    out: Outlet,
    track: (call: ToolCallHandle) => void,
  ) {
    super(peer, channel, signal, out);
    this.request = request;
    this.prompt = request.prompt;
    this.signal = signal;
    this.#track = track;
  }

  /** The text of the prompt: its text blocks, joined by newlines. */
  get text(): string {
    const texts = this.prompt.flatMap((block) => (block.type === "text" ? [(block as { text: string }).text] : []));
    return texts.join("\n");
  }

  /**
   * Takes further prompts into this turn, with `concurrentPrompts: "merge"`: the user steers while the agent works. They are answered
   * together with this one. Without a listener they queue.
   */
  onPrompt(listener: (request: IncomingPromptRequest) => void): void {
    this.#onPrompt = listener;
  }

  /** @internal Whether somebody took it. */
  offer(request: IncomingPromptRequest): boolean {
    this.#onPrompt?.(request);
    return this.#onPrompt !== undefined;
  }

  /** Announces a tool call and returns it. When the turn is cancelled or fails, calls that are still open are told as failed. */
  override toolCall(init: ToolCallInit): ToolCallHandle {
    const call = this.newToolCall(init, this.signal);
    this.#track(call);
    return call;
  }

  /**
   * Whether a tool call may run: by the policy, by an earlier answer "always", or by asking the user. A policy's `allow` or `deny`
   * sends nothing.
   *
   * @example
   * ```ts
   * const { allowed } = await turn.permit(edit, ({ kind }) => (kind === "read" ? "allow" : "ask"));
   * ```
   */
  permit(call: ToolCallHandle, policy: PermissionPolicy = "ask", options?: PermitOptions): Promise<Permit> {
    return permit(call, policy, this.permissions, options);
  }

  /** @internal Made by the agent when a prompt arrives. */
  static open(peer: AgentPeer, channel: SessionChannel, request: IncomingPromptRequest): TurnControl {
    const controller = new AbortController();
    const calls: ToolCallHandle[] = [];
    let ended = false;
    const late = ({ sessionUpdate }: SessionUpdate): undefined => {
      const message = `A ${sessionUpdate} came after its turn had ended and was dropped: is an await missing?`;
      peer.report({ code: "update_after_turn", message });
    };
    const out: Outlet = {
      send: (update) => (ended ? late(update) : channel.send(update)),
      grow: (chunk, ms) => (ended ? late(chunk) : channel.grow(chunk, ms)),
    };
    const turn = new Turn(peer, channel, request, controller.signal, out, (call) => calls.push(call));
    return {
      turn,
      abort: (reason) => controller.abort(reason),
      end(outcome) {
        if (ended) return;
        for (const call of calls) {
          if (call.ended) continue;
          if (outcome === "aborted") failQuietly(call);
          else
            peer.report({
              code: "tool_call_left_open",
              message: `Tool call ${call.id} was never completed nor failed`,
            });
        }
        channel.flush();
        ended = true;
      },
    };
  }
}

/** The turn ends as it is: that an update of it can't be written down has been told to whoever sent the one before. */
function failQuietly(call: ToolCallHandle): void {
  try {
    void call.fail();
  } catch {}
}
