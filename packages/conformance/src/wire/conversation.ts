import type { Dialogue, DialogueEntry } from "../dialogue.js";
import type { Role } from "../requirements/requirement.js";
import { isObject, type Json, jsonText } from "./values.js";

/** The kind of a message. An invalid message is `odd`: it is none of the three kinds, or two of them at once. */
export type MessageKind = "request" | "notification" | "response" | "odd";

/** A message of a dialogue, with its kind, its sender, and its request or response. */
export interface ConversationMessage {
  readonly seq: number;
  readonly from: Role;
  readonly kind: MessageKind;
  readonly message: Json;
  readonly method?: string;
  readonly params?: unknown;
  /** The request of a response, or the first response to a request. */
  other?: ConversationMessage;
}

/** A dialogue, parsed as JSON-RPC. */
export interface Conversation {
  readonly dialogue: Dialogue;
  readonly spoken: readonly ConversationMessage[];
}

/** The methods whose response has the id of a new session. `session/fork` is unstable. */
export const createsSession: ReadonlySet<string> = new Set(["session/new", "session/fork"]);

/** Returns a map key for an id. Ids of different types, such as `1` and `"1"`, have different keys. */
export function idKey(id: unknown): string {
  return `${typeof id}:${jsonText(id)}`;
}

export function kindOfMessage(message: Json): MessageKind {
  const hasMethod = Object.hasOwn(message, "method");
  const hasId = Object.hasOwn(message, "id");
  const hasOutcome = Object.hasOwn(message, "result") || Object.hasOwn(message, "error");
  if (hasMethod && !hasOutcome) return hasId ? "request" : "notification";
  if (!hasMethod && hasId && hasOutcome) return "response";
  return "odd";
}

const known = new WeakMap<Dialogue, Conversation>();

/** Parses a dialogue that has ended. */
export function readConversation(dialogue: Dialogue): Conversation {
  let conversation = known.get(dialogue);
  if (!conversation) {
    conversation = { dialogue, spoken: pair(dialogue.entries) };
    known.set(dialogue, conversation);
  }
  return conversation;
}

function pair(entries: readonly DialogueEntry[]): ConversationMessage[] {
  const spoken: ConversationMessage[] = [];
  const open = new Map<string, ConversationMessage>();
  for (const entry of entries) {
    if (!("message" in entry) || !isObject(entry.message)) continue;
    const { seq, from, message } = entry;
    const kind = kindOfMessage(message);
    const method = typeof message.method === "string" ? message.method : undefined;
    const one: ConversationMessage = {
      seq,
      from,
      kind,
      message,
      params: message.params,
      ...(method !== undefined && { method }),
    };
    spoken.push(one);
    if (kind === "request") open.set(`${from} ${idKey(message.id)}`, one);
    if (kind === "response") {
      const request = open.get(`${from === "agent" ? "client" : "agent"} ${idKey(message.id)}`);
      if (request) {
        one.other = request;
        request.other ??= one;
      }
    }
  }
  return spoken;
}
