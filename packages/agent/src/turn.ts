import type { IncomingContentBlock, IncomingPromptRequest, SessionUpdate } from "@acp-kit/schema";
import type { AgentPeer } from "./agent-peer.js";
import type { Sent, SessionChannel } from "./session-channel.js";
import { SessionHandle } from "./session-handle.js";
import { ToolCall, type ToolCallInit } from "./tool-call.js";

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
  readonly #track: (call: ToolCall) => void;
  readonly #write: (update: SessionUpdate) => Sent;
  #onPrompt: ((request: IncomingPromptRequest) => void) | undefined;

  private constructor(
    peer: AgentPeer,
    request: IncomingPromptRequest,
    signal: AbortSignal,
    write: (update: SessionUpdate) => Sent,
    track: (call: ToolCall) => void,
  ) {
    super(peer, request.sessionId, write, signal);
    this.request = request;
    this.prompt = request.prompt;
    this.signal = signal;
    this.#write = write;
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
  override toolCall(init: ToolCallInit): ToolCall {
    const call = new ToolCall({ client: this.client, signal: this.signal, send: this.#write }, init);
    this.#track(call);
    return call;
  }

  /** @internal Made by the agent when a prompt arrives. */
  static open(peer: AgentPeer, channel: SessionChannel, request: IncomingPromptRequest): TurnControl {
    const controller = new AbortController();
    const calls: ToolCall[] = [];
    let ended = false;
    const write = (update: SessionUpdate): Sent => {
      if (!ended) return channel.send(update);
      const message = `A ${update.sessionUpdate} came after its turn had ended and was dropped: is an await missing?`;
      peer.report({ code: "update_after_turn", message });
      return undefined;
    };
    const turn = new Turn(peer, request, controller.signal, write, (call) => calls.push(call));
    return {
      turn,
      abort: (reason) => controller.abort(reason),
      end(outcome) {
        for (const call of calls) {
          if (call.ended) continue;
          if (outcome === "aborted") void call.fail();
          else
            peer.report({
              code: "tool_call_left_open",
              message: `Tool call ${call.id} was never completed nor failed`,
            });
        }
        ended = true;
      },
    };
  }
}
