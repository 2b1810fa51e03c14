import { MessageText, type Session, type ToolCallEntry, type TranscriptUsage } from "@acp-kit/client";
import type { IncomingSessionUpdate, PlanEntry } from "@acp-kit/types";

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

/** What the agent told about its use of tokens, as far as it told. */
export interface RecordedUsage {
  /** How full the context is: tokens in it, tokens that fit. */
  readonly context: TranscriptUsage["context"] | null;
  /** Tokens of this turn. */
  readonly turn: TranscriptUsage["lastTurn"] | null;
  /** What the session has cost so far. */
  readonly cost: TranscriptUsage["cost"] | null;
}

/** What a run told. History that a load tells again is no part of it. */
export class TurnRecord {
  /** How many updates of each kind came. */
  readonly updates: Record<string, number> = {};
  readonly #message = new MessageText();
  #text = "";
  #session: Session | undefined;

  /** Adds an update; returns the text that it adds to the message. */
  add(update: IncomingSessionUpdate): string {
    const { sessionUpdate: kind } = update;
    this.updates[kind] = (this.updates[kind] ?? 0) + 1;
    const added = this.#message.add(update);
    this.#text += added;
    return added;
  }

  /** The agent asked for permission: what it says next is another message. */
  interrupt(): void {
    this.#message.interrupt();
  }

  /** The session whose transcript holds the rest. */
  opened(session: Session): void {
    this.#session = session;
  }

  /** What the agent said, its messages kept apart by empty lines. */
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

  /** The plan as it was told last; `null` when none was. */
  get plan(): readonly PlanEntry[] | null {
    return this.#entries().findLast((entry) => entry.type === "plan")?.entries ?? null;
  }

  /** `null` when nothing was told. */
  get usage(): RecordedUsage | null {
    const { context, lastTurn, cost } = this.#session?.transcript.snapshot.usage ?? {};
    if (context === undefined && lastTurn === undefined && cost === undefined) return null;
    return { context: context ?? null, turn: lastTurn ?? null, cost: cost ?? null };
  }

  #entries() {
    return (this.#session?.transcript.snapshot.entries ?? []).filter(({ replayed }) => replayed !== true);
  }
}
