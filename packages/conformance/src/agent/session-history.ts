import type { Conversation, ConversationMessage } from "../wire/conversation.js";
import { asText, isObject, type Json, member } from "../wire/values.js";

/** An update of a session, with its place in the conversation. */
export interface SessionUpdate {
  readonly seq: number;
  readonly sessionId: string;
  readonly update: Json;
  readonly tag: string;
  /** The number of turns of the session up to this update. Turns with overlapping prompts count as one. */
  readonly turn: number;
  /** Whether a turn of the session was running: its prompt was sent, and had no response yet. */
  readonly inTurn: boolean;
  /** Whether the prompts of several turns have overlapped in this turn so far. */
  readonly overlapped: boolean;
  /** Whether the update is part of a replay (`session/load`). */
  readonly replay: boolean;
}

/** A turn that overlaps no other turn of its session. */
export interface SessionTurn {
  readonly prompt: ConversationMessage;
  readonly response: ConversationMessage;
  /** The number (`seq`) of the session's next prompt or `session/load` in the dialogue; infinity if there is none. */
  readonly until: number;
}

/** The kinds of updates that belong to a turn. */
export const streamedUpdates: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/** Returns whether an update belongs to a turn. */
export const isStreamed = ({ update }: Pick<SessionUpdate, "update">): boolean =>
  streamedUpdates.has(asText(update.sessionUpdate));

/** Returns the session that a message names. */
export const sessionOf = ({ params }: ConversationMessage): string => asText(member(params, "sessionId"));

/** Returns the stop reason of a response to a prompt. */
export const stopReasonOf = (one: ConversationMessage | undefined): unknown =>
  member(one?.message, "result", "stopReason");

/** Returns the updates of a conversation, each with its turn. */
export function updatesIn({ spoken }: Conversation): readonly SessionUpdate[] {
  const turns = new Map<string, number>();
  /** For each session, the `seq` of the last response to its prompts so far; infinity if a prompt has no response. */
  const ends = new Map<string, number>();
  /** The sessions whose current turn has overlapping prompts. */
  const overlapping = new Set<string>();
  const loading = new Map<string, ConversationMessage>();
  return spoken.flatMap((one): SessionUpdate[] => {
    const id = sessionOf(one);
    if (one.from === "client" && one.method === "session/prompt") {
      const end = ends.get(id) ?? -1;
      if (end < one.seq) {
        turns.set(id, (turns.get(id) ?? 0) + 1);
        overlapping.delete(id);
      } else overlapping.add(id);
      ends.set(id, Math.max(end, one.other?.seq ?? Number.POSITIVE_INFINITY));
    }
    if (one.from === "client" && one.method === "session/load") loading.set(id, one);
    const update = member(one.params, "update");
    if (one.from !== "agent" || one.method !== "session/update" || !isObject(update)) return [];
    const load = loading.get(id);
    const replay = load !== undefined && (load.other === undefined || load.other.seq > one.seq);
    const tag = asText(update.sessionUpdate);
    const turn = turns.get(id) ?? 0;
    const inTurn = (ends.get(id) ?? -1) > one.seq;
    return [{ seq: one.seq, sessionId: id, update, tag, turn, inTurn, overlapped: overlapping.has(id), replay }];
  });
}

/**
 * Returns whether two updates certainly belong to different turns. An update that the agent began outside of a turn may
 * continue after the next prompt, because the prompt and the update can cross on the wire.
 */
export function areInDifferentTurns(first: SessionUpdate, later: SessionUpdate): boolean {
  return later.turn !== first.turn && (first.inTurn || later.turn > first.turn + 1);
}

/** Returns the turns of a conversation that have ended. */
export function turnsIn({ spoken }: Conversation): readonly SessionTurn[] {
  return spoken.flatMap((prompt): SessionTurn[] => {
    if (prompt.from !== "client" || prompt.method !== "session/prompt" || !prompt.other) return [];
    const response = prompt.other;
    const next = spoken.find(
      (one) =>
        one.from === "client" &&
        one !== prompt &&
        one.seq > prompt.seq &&
        sessionOf(one) === sessionOf(prompt) &&
        (one.method === "session/prompt" || one.method === "session/load"),
    );
    // If two prompts overlap, the updates of one can't be distinguished from those of the other.
    const overlapped = spoken.some(
      (one) =>
        one.method === "session/prompt" &&
        one !== prompt &&
        sessionOf(one) === sessionOf(prompt) &&
        one.seq < response.seq &&
        (one.other?.seq ?? Number.POSITIVE_INFINITY) > prompt.seq,
    );
    return overlapped ? [] : [{ prompt, response, until: next?.seq ?? Number.POSITIVE_INFINITY }];
  });
}
