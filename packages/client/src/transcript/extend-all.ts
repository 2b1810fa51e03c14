import type { IncomingContentBlock, IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import { type ChildUpdate, childUpdateOf, isWorking } from "./child-update.js";
import { TranscriptBuilder } from "./transcript-builder.js";
import type { MessageEntry, ToolCallEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { ExtendTranscript, TranscriptExtension, TranscriptParts } from "./transcript-extension.js";
import { emptyTranscript, type TranscriptChild, type TranscriptSnapshot } from "./transcript-snapshot.js";
import { v2Updates } from "./v2-updates.js";
import type { Draft } from "./writable.js";

/** The maximum number of child sessions of a transcript; further ones are ignored. */
export const MAX_CHILDREN = 1_000;

/**
 * The extension of a transcript for everything that is not in every session: what only version 2 has, child sessions,
 * and messages between sessions.
 */
export const extendAll: ExtendTranscript = (transcript) => new AllUpdates(transcript);

/** A child session, and the builder of its transcript, once its transcript changes. */
interface Child {
  facts: Omit<TranscriptChild, "transcript">;
  builder: TranscriptBuilder;
}

class AllUpdates implements TranscriptExtension {
  readonly #transcript: TranscriptParts;
  readonly #v2: TranscriptExtension;
  /** The children of the snapshot that have changed, with their builders. */
  readonly #children = new Map<string, Child>();
  /** The children of the snapshot to which `#children` belongs. */
  #known: TranscriptSnapshot["children"];
  /** The ids of the children that have changed since the last snapshot. */
  readonly #changed = new Set<string>();

  constructor(transcript: TranscriptParts) {
    this.#transcript = transcript;
    this.#v2 = v2Updates(transcript);
    this.#known = transcript.now().children;
  }

  update(update: IncomingSessionUpdate): boolean {
    const child = childUpdateOf(update);
    if (child === undefined) return this.#sessionMessage(update) || this.#v2.update(update);
    this.#announced(child);
    return true;
  }

  apply(event: TranscriptEvent): void {
    if (event.type !== "child") {
      this.#v2.apply(event);
      return;
    }
    const { sessionId, event: inner } = event;
    const announced = inner.type === "update" ? childUpdateOf(inner.update) : undefined;
    if (announced !== undefined) this.#announced(announced, sessionId);
    else if (this.#find(sessionId)?.builder.apply(inner)) this.#touch(sessionId);
  }

  toolCall(index: number, entry: Draft<ToolCallEntry>, update: IncomingToolCallUpdate): void {
    this.#v2.toolCall(index, entry, update);
  }

  continues(call: ToolCallEntry): boolean {
    return this.#v2.continues(call);
  }

  freeze(next: Draft<TranscriptSnapshot>): void {
    this.#v2.freeze(next);
    this.#forgetReplaced(next);
    if (this.#changed.size === 0) return;
    const children = new Map(Object.entries(next.children ?? {}));
    for (const sessionId of this.#changed) {
      const { facts, builder } = this.#children.get(sessionId) as Child;
      children.set(sessionId, { ...facts, transcript: builder.snapshot });
    }
    this.#known = Object.fromEntries(children);
    next.children = this.#known;
    this.#changed.clear();
  }

  #announced(
    { sessionId, title, description, cwd, state, stopReason, canCancel }: ChildUpdate,
    parentId?: string,
  ): void {
    const now = this.#transcript.now();
    if (sessionId === now.sessionId || sessionId === parentId) return;
    const child = this.#find(sessionId) ?? this.#add(sessionId, parentId);
    if (child === undefined) return;
    const facts: Draft<typeof child.facts> = { ...child.facts };
    child.facts = facts;
    for (const [name, value] of Object.entries({ title, description, cwd, state }) as [keyof ChildUpdate, string][]) {
      if (value === null) delete facts[name as "title"];
      else if (value !== undefined) facts[name as "title"] = value;
    }
    if (canCancel === true) facts.canCancel = true;
    else if (canCancel === false) delete facts.canCancel;
    if (isWorking(state)) child.builder.apply({ type: "turn_joined", origin: "agent" });
    else if (state !== undefined)
      child.builder.apply({ type: "turn_ended", joined: true, ...(stopReason !== undefined && { stopReason }) });
    this.#touch(sessionId);
  }

  /** Returns a child of the snapshot. A history begins without children, because it announces them again. */
  #find(sessionId: string): Child | undefined {
    this.#forgetReplaced(this.#transcript.now());
    const known = this.#children.get(sessionId);
    if (known !== undefined) return known;
    const children = this.#known ?? {};
    const stored = Object.hasOwn(children, sessionId) ? children[sessionId] : undefined;
    if (stored === undefined) return undefined;
    const { transcript, ...facts } = stored;
    const child = { facts, builder: new TranscriptBuilder(transcript, extendAll) };
    this.#children.set(sessionId, child);
    return child;
  }

  /** Forgets changes of children that are no longer in the snapshot: a load has begun or has failed. */
  #forgetReplaced({ children }: TranscriptSnapshot): void {
    if (children === this.#known) return;
    this.#known = children;
    this.#children.clear();
    this.#changed.clear();
  }

  #add(sessionId: string, parentId: string | undefined): Child | undefined {
    const ids = new Set([...Object.keys(this.#known ?? {}), ...this.#changed]);
    if (ids.size >= MAX_CHILDREN) return undefined;
    const child = {
      facts: { sessionId, ...(parentId !== undefined && { parentId }) },
      builder: new TranscriptBuilder({ ...emptyTranscript, sessionId }, extendAll),
    };
    this.#children.set(sessionId, child);
    return child;
  }

  #touch(sessionId: string): void {
    this.#changed.add(sessionId);
    this.#transcript.draft(); // so that the next snapshot is another object
  }

  #sessionMessage(update: IncomingSessionUpdate): boolean {
    const tag: string = update.sessionUpdate;
    const { messageId, senderSessionId, recipientSessionId, content } = update as unknown as SessionMessage;
    if ((tag !== "session_message" && tag !== "session_message_chunk") || typeof messageId !== "string") return false;
    const entries = this.#transcript.entries();
    let index = entries.find("agent_message", messageId);
    if (index === undefined) {
      index = this.#transcript.addMessage("agent_message", messageId);
      const sender = typeof senderSessionId === "string" && { sender: senderSessionId };
      const recipient = typeof recipientSessionId === "string" && { recipient: recipientSessionId };
      entries.set(index, { ...(entries.at(index) as MessageEntry), ...sender, ...recipient });
    }
    if (tag === "session_message_chunk") {
      if (isBlock(content)) entries.draft(index).append(content);
    } else if (content === null) entries.draft(index).replace([]);
    else if (Array.isArray(content)) entries.draft(index).replace(content.filter(isBlock));
    return true;
  }
}

/** The schema of these updates is not stable, so they are not decoded. */
interface SessionMessage {
  readonly messageId?: unknown;
  readonly senderSessionId?: unknown;
  readonly recipientSessionId?: unknown;
  readonly content?: unknown;
}

function isBlock(value: unknown): value is IncomingContentBlock {
  if (typeof value !== "object" || value === null) return false;
  const { type, text } = value as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" ? typeof text === "string" : typeof type === "string";
}
