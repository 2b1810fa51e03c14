import type { PlanTranscriptEntry, Session, ToolCallEntry, TranscriptUsage } from "@acp-kit/client";
import { MessageText } from "@acp-kit/client/internal";
import type { IncomingSessionUpdate } from "@acp-kit/types";

/** A tool call in its last state. */
export type RecordedToolCall = Pick<
  ToolCallEntry,
  | "toolCallId"
  | "title"
  | "name"
  | "kind"
  | "status"
  | "content"
  | "locations"
  | "rawInput"
  | "rawOutput"
  | "unfinished"
  | "meta"
>;

/** The token usage that the agent reported. A count that the agent did not report is `null`. */
export interface RecordedUsage {
  /** The number of tokens in the context, and the maximum number. */
  readonly context: TranscriptUsage["context"] | null;
  /** The number of tokens of this turn. */
  readonly turn: TranscriptUsage["lastTurn"] | null;
  /** The cost of the session so far. */
  readonly cost: TranscriptUsage["cost"] | null;
}

/** Accumulates the updates of a run, without the updates that `session/load` replays. */
export class TurnRecord {
  /** Number of updates of each kind. It has no prototype, as an agent can send the kind `constructor`. */
  readonly updates: Record<string, number> = Object.create(null);
  readonly #message = new MessageText();
  #text = "";
  #session: Session | undefined;

  /** Adds an update. Returns the text that the update adds to the agent's message. */
  add(update: IncomingSessionUpdate): string {
    const { sessionUpdate: kind } = update;
    this.updates[kind] = (this.updates[kind] ?? 0) + 1;
    const added = this.#message.add(update);
    this.#text += added;
    return added;
  }

  /** Called when the agent requests permission. The agent's next chunk then starts another message. */
  interrupt(): void {
    this.#message.interrupt();
  }

  /** Sets the session. This object reads the tool calls, the plan and the usage from the session's transcript. */
  opened(session: Session): void {
    this.#session = session;
  }

  /** Sets the final text of the turn: the agent can have replaced messages whose text was streamed. */
  ended(text: string): void {
    this.#text = text;
  }

  /** The agent's messages, separated by empty lines. */
  get text(): string {
    return this.#text;
  }

  get toolCalls(): readonly RecordedToolCall[] {
    return this.#entries().flatMap((entry) => {
      if (entry.type !== "tool_call") return [];
      const {
        key: _key,
        type: _type,
        turn: _turn,
        permission: _permission,
        terminalIds: _terminalIds,
        ...call
      } = entry;
      return [call];
    });
  }

  /** The last plan; `null` if the agent sent none. */
  get plan(): PlanTranscriptEntry["entries"] | null {
    return this.#entries().findLast((entry) => entry.type === "plan")?.entries ?? null;
  }

  /** The token usage; `null` if the agent reported none. */
  get usage(): RecordedUsage | null {
    const { context, lastTurn, cost } = this.#session?.transcript.snapshot.usage ?? {};
    if (context === undefined && lastTurn === undefined && cost === undefined) return null;
    return { context: context ?? null, turn: lastTurn ?? null, cost: cost ?? null };
  }

  /** The entries of this run: not the history, and not the turn of another client for which the prompt had to wait. */
  #entries() {
    const { entries = [], turns = [] } = this.#session?.transcript.snapshot ?? {};
    return entries.filter(({ replayed, turn }) => replayed !== true && !(turn !== undefined && turns[turn]?.joined));
  }
}
