import { asV2Update, type PromptTurn, type Session } from "@acp-kit/client";
import { WholeCharacters } from "@acp-kit/protocol/internal";
import { type IncomingSessionUpdate, isKnownSessionUpdate, type PromptResponse } from "@acp-kit/types";
import { AgentToolCalls, type CallTerminals, noTerminals } from "./agent-tool-calls.js";
import type { ModelFinishReason, ModelStreamPart, ModelUsage, ModelWarning } from "./model-types.js";
import { shownBlock } from "./shown-content.js";

type Speaker = "text" | "reasoning";

/** Options of {@link turnParts}. */
export interface TurnPartsOptions {
  readonly warnings: readonly ModelWarning[];
  /** Whether to include each raw update as an additional part. */
  readonly raw: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Yields the updates of an agent's turn as the parts of a model's stream.
 *
 * @throws the reason of the signal if it was aborted; the error of the turn if it failed.
 */
export async function* turnParts(
  turn: PromptTurn,
  { warnings, raw, signal }: TurnPartsOptions,
): AsyncGenerator<ModelStreamPart> {
  const state = new Telling(turn.session);
  yield { type: "stream-start", warnings: [...warnings] };
  for await (const update of turn) {
    if (raw) yield { type: "raw", rawValue: update };
    yield* state.take(update);
  }
  yield* state.end();
  const response = await turn.result;
  signal?.throwIfAborted();
  yield {
    type: "finish",
    finishReason: finishReasonOf(response),
    usage: usageOf(response, state.used),
    providerMetadata: { acp: { sessionId: turn.session.sessionId } },
  };
}

interface OpenText {
  readonly speaker: Speaker;
  readonly id: string;
  readonly messageId: string | undefined;
  readonly characters: WholeCharacters;
}

/** Returns the terminals of a call from the session's transcript, and nothing if the client keeps no transcripts. */
function terminalsOf(session: Session, toolCallId: string): CallTerminals {
  try {
    const { entries, terminals } = session.transcript.snapshot;
    const call = entries.findLast((entry) => entry.type === "tool_call" && entry.toolCallId === toolCallId);
    return call?.type === "tool_call" ? { ids: call.terminalIds, terminals } : noTerminals;
  } catch {
    return noTerminals;
  }
}

class Telling {
  readonly #calls: AgentToolCalls;
  #open: OpenText | undefined;
  #ids = 0;
  /** The used part of the context, from the agent's last update. */
  used: { used: number; size: number } | undefined;

  constructor(session: Session) {
    this.#calls = new AgentToolCalls((toolCallId) => terminalsOf(session, toolCallId));
  }

  *take(update: IncomingSessionUpdate): Generator<ModelStreamPart> {
    const added = asV2Update(update);
    if (added?.sessionUpdate === "tool_call_content_chunk") this.#calls.add(added.toolCallId, added.content);
    if (!isKnownSessionUpdate(update)) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return yield* this.#say("text", update);
      case "agent_thought_chunk":
        return yield* this.#say("reasoning", update);
      case "tool_call":
      case "tool_call_update":
        yield* this.#endText();
        return yield* this.#calls.take(update);
      case "usage_update":
        this.used = { used: update.used, size: update.size };
    }
  }

  *end(): Generator<ModelStreamPart> {
    yield* this.#endText();
    yield* this.#calls.end();
  }

  *#say(
    speaker: Speaker,
    {
      content,
      messageId,
    }: Extract<IncomingSessionUpdate, { sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" }>,
  ): Generator<ModelStreamPart> {
    const block = shownBlock(content);
    if (content.type !== "text") yield* this.#endText();
    if (block.type === "text") {
      yield* this.#text(speaker, block.text, messageId ?? undefined);
      if (content.type !== "text") yield* this.#endText(); // an embedded file is a text of its own
      return;
    }
    const id = this.#newId(block.type);
    if (block.type === "file") yield { type: "file", mediaType: block.mediaType, data: block.data };
    if (block.type === "link") yield { type: "source", sourceType: "url", id, url: block.url, title: block.title };
  }

  *#text(speaker: Speaker, delta: string, messageId: string | undefined): Generator<ModelStreamPart> {
    if (this.#open?.speaker !== speaker || this.#open.messageId !== messageId) yield* this.#endText();
    if (this.#open === undefined) {
      const id = this.#newId(speaker);
      this.#open = { speaker, id, messageId, characters: new WholeCharacters() };
      yield speaker === "text" ? { type: "text-start", id } : { type: "reasoning-start", id };
    }
    const { id, characters } = this.#open;
    const text = characters.add(delta); // an application may send each delta on, and half a character can't be encoded
    if (text === "" && delta !== "") return;
    yield speaker === "text" ? { type: "text-delta", id, delta: text } : { type: "reasoning-delta", id, delta: text };
  }

  *#endText(): Generator<ModelStreamPart> {
    if (this.#open === undefined) return;
    const { id, speaker } = this.#open;
    this.#open = undefined;
    yield speaker === "text" ? { type: "text-end", id } : { type: "reasoning-end", id };
  }

  #newId(of: string): string {
    this.#ids += 1;
    return `${of}-${this.#ids}`;
  }
}

function finishReasonOf({ stopReason }: PromptResponse): ModelFinishReason {
  const unified = new Map<string, ModelFinishReason["unified"]>([
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["refusal", "content-filter"],
  ]).get(stopReason);
  return { unified: unified ?? "other", raw: stopReason };
}

/** Returns the numbers of tokens: of the unstable member `usage`, or of the `_meta` that `pipe` adds. */
function usageOf(response: PromptResponse, used: { used: number; size: number } | undefined): ModelUsage {
  const meta = response._meta?.["ai-sdk"] as { usage?: unknown } | undefined;
  const counts = (response as { usage?: unknown }).usage ?? meta?.usage;
  const count = (name: string): number | undefined => {
    const value = typeof counts === "object" && counts !== null ? (counts as Record<string, unknown>)[name] : undefined;
    return typeof value === "number" ? value : undefined;
  };
  return {
    inputTokens: {
      total: count("inputTokens"),
      noCache: undefined,
      cacheRead: count("cachedReadTokens"),
      cacheWrite: count("cachedWriteTokens"),
    },
    outputTokens: { total: count("outputTokens"), text: undefined, reasoning: count("thoughtTokens") },
    ...(used !== undefined && { raw: used }),
  };
}
