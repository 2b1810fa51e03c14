import { asV2Update, type V2ToolCallUpdate, type V2Update } from "@acp-kit/protocol";
import type { IncomingContentBlock, IncomingSessionUpdate, IncomingToolCallContent } from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import { joinedText } from "./message-draft.js";
import { appendOutput, exitOf, replaceOutput, type TerminalDraft } from "./terminal-list.js";
import { addTerminal } from "./tool-call.js";
import type { MessageEntry, PlanTranscriptEntry, ToolCallEntry } from "./transcript-entry.js";
import type { TranscriptEvent } from "./transcript-event.js";
import type { ExtendTranscript, TranscriptExtension, TranscriptParts } from "./transcript-extension.js";
import type { TranscriptSnapshot, TranscriptTerminal } from "./transcript-snapshot.js";
import type { Draft } from "./writable.js";

/** The maximum number of items of background work that a transcript keeps. */
export const MAX_BACKGROUND = 1_000;

/** The maximum number of content items that a tool call gets one by one; further items are dropped. */
export const MAX_CONTENT_ITEMS = 10_000;

type Tagged<Tag extends V2Update["sessionUpdate"]> = Extract<V2Update, { readonly sessionUpdate: Tag }>;

/** The types of entries for whole messages. */
const messageTypes = {
  user_message: "user_message",
  agent_message: "agent_message",
  agent_thought: "thought",
} as const;

/** Adds to a transcript what only version 2 of the protocol has. */
export const v2Updates: ExtendTranscript = (transcript) => new V2Updates(transcript);

class V2Updates implements TranscriptExtension {
  readonly #transcript: TranscriptParts;
  /** The contents of tool calls that no snapshot contains, so that items are added in place. */
  #ownContents = new WeakSet<readonly IncomingToolCallContent[]>();
  #listed: { readonly background: TranscriptSnapshot["background"]; readonly ids: ReadonlySet<string> } | undefined;

  constructor(transcript: TranscriptParts) {
    this.#transcript = transcript;
  }

  update(update: IncomingSessionUpdate): boolean {
    const known = asV2Update(update);
    switch (known?.sessionUpdate) {
      case undefined:
        return false;
      case "user_message":
      case "agent_message":
      case "agent_thought":
        this.#message(known);
        break;
      case "tool_call_content_chunk":
        this.#addContent(known);
        break;
      case "terminal_update":
        this.#terminal(known);
        break;
      case "terminal_output_chunk":
        addBytes(this.#transcript.terminals.draft(known.terminalId, "agent"), known.data);
        break;
      case "plan_update":
        this.#plan(known);
        break;
      case "plan_removed":
        this.#removePlan(known);
        break;
      case "state_update":
        this.#state(known);
        break;
      default:
        known satisfies undefined;
    }
    return true;
  }

  apply(event: TranscriptEvent): void {
    if (event.type !== "prompts_sending") return;
    const next = this.#transcript.draft();
    if (event.prompts.length > 0) next.sending = event.prompts;
    else delete next.sending;
  }

  toolCall(index: number, entry: Draft<ToolCallEntry>, update: V2ToolCallUpdate): void {
    const { clears, capabilities, _meta: meta } = update;
    for (const name of clears ?? []) {
      if (name === "_meta") this.#transcript.entries().addMeta(index, {}).clear();
      else delete entry[name];
    }
    if (capabilities !== undefined) setFlag(entry, "canCancel", isCancellable(capabilities));
    removeNulls(this.#transcript, index, meta);
  }

  continues({ toolCallId, terminalIds }: ToolCallEntry): boolean {
    const { background } = this.#transcript.now();
    if (background === undefined) return false;
    if (this.#listed?.background !== background) this.#listed = { background, ids: new Set(background.map(workId)) };
    const { ids } = this.#listed;
    return ids.has(`tool_call ${toolCallId}`) || terminalIds.some((id) => ids.has(`terminal ${id}`));
  }

  freeze(): void {
    this.#ownContents = new WeakSet();
  }

  #message({ sessionUpdate, messageId, content, _meta: meta }: Tagged<keyof typeof messageTypes>): void {
    const entries = this.#transcript.entries();
    const type = messageTypes[sessionUpdate];
    let index = entries.find(type, messageId);
    if (index === undefined && type === "user_message") index = this.#ownPrompt(messageId, content ?? []);
    index ??= this.#transcript.addMessage(type, messageId);
    if (content !== undefined) entries.draft(index).replace(content ?? []);
    if (meta === undefined) return;
    const members = entries.addMeta(index, meta ?? {});
    if (meta === null) members.clear();
    else removeNulls(this.#transcript, index, meta);
  }

  /**
   * Returns the index of the prompt of this client that the agent reports as a user message: one with the same text, or
   * one whose echo has the same id. From then on, the prompt has the agent's id.
   */
  #ownPrompt(messageId: string, content: readonly IncomingContentBlock[]): number | undefined {
    const entries = this.#transcript.entries();
    const now = this.#transcript.now();
    const text = joinedText(content);
    const own = this.#transcript.running().find((turnIndex) => {
      const turn = now.turns[turnIndex];
      const prompt = turn === undefined ? undefined : (entries.at(turn.firstEntry) as MessageEntry | undefined);
      if (turn?.joined || prompt?.type !== "user_message" || prompt.messageId !== undefined) return false;
      return turn?.echo?.messageId === messageId || prompt.text === text;
    });
    if (own === undefined) return undefined;
    const index = (now.turns[own] as TranscriptSnapshot["turns"][number]).firstEntry;
    entries.set(index, { ...(entries.at(index) as MessageEntry), messageId });
    return index;
  }

  #addContent({ toolCallId, content }: Tagged<"tool_call_content_chunk">): void {
    const entries = this.#transcript.entries();
    const entry = entries.edit<ToolCallEntry>(this.#transcript.callAt(toolCallId));
    if (entry.content.length >= MAX_CONTENT_ITEMS) return;
    if (!this.#ownContents.has(entry.content)) {
      entry.content = [...entry.content];
      this.#ownContents.add(entry.content);
    }
    (entry.content as IncomingToolCallContent[]).push(content);
    if (content.type === "terminal") addTerminal(entry, content.terminalId);
  }

  #terminal({ terminalId, command, cwd, output, exitStatus, size, capabilities }: Tagged<"terminal_update">): void {
    const draft = this.#transcript.terminals.draft(terminalId, "agent");
    const terminal: Draft<TranscriptTerminal> = { ...draft.terminal };
    draft.terminal = terminal;
    patch(terminal, "command", command);
    patch(terminal, "cwd", cwd);
    patch(terminal, "size", size);
    patch(terminal, "exit", exitStatus && exitOf(exitStatus.exitCode, exitStatus.signal));
    if (capabilities !== undefined) setFlag(terminal, "canCancel", isCancellable(capabilities));
    if (output === undefined) return;
    delete terminal.rest;
    delete terminal.truncated;
    replaceOutput(draft, "");
    if (output !== null) addBytes(draft, output.data);
  }

  #plan({ plan, _meta: meta }: Tagged<"plan_update">): void {
    const entries = this.#transcript.entries();
    const { planId } = plan;
    const list = plan.type === "items" ? (plan.entries as PlanTranscriptEntry["entries"]) : [];
    const content = { entries: list, ...(plan.type !== "items" && { other: plan }), ...(meta && { meta }) };
    if (plan.type === "items") this.#transcript.draft().plan = list;
    const index = entries.find("plan", planId);
    if (index === undefined || index < entries.lastOf("user_message"))
      entries.push({ type: "plan", planId, ...content, ...this.#transcript.position() });
    else Object.assign(withoutOther(entries.edit<PlanTranscriptEntry>(index)), content);
  }

  #removePlan({ planId }: Tagged<"plan_removed">): void {
    const index = this.#transcript.entries().find("plan", planId);
    if (index === undefined) return;
    const { plan } = this.#transcript.now();
    const entry = withoutOther(this.#transcript.entries().edit<PlanTranscriptEntry>(index));
    if (plan === entry.entries) this.#transcript.draft().plan = [];
    entry.entries = [];
  }

  #state({ state, background }: Tagged<"state_update">): void {
    const next = this.#transcript.draft();
    if (background != null) next.background = (background as IncomingBackgroundWork[]).slice(0, MAX_BACKGROUND);
    else delete next.background;
    setFlag(next, "requiresAction", state === "requires_action");
    // Listed work ends before it is removed.
    if (state === "idle" && background != null && next.activity === "idle") this.#transcript.abandonOpen();
  }
}

/** Creates a decoder for which a byte order mark is a character like any other. */
const newDecoder = (): TextDecoder => new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Appends bytes in base64 to the output of a terminal. A character can be cut at the end of the bytes. Its first bytes
 * are kept until the others arrive. Bytes that are not base64 are ignored.
 */
function addBytes(draft: TerminalDraft, base64: string): void {
  const { rest = "", ...terminal } = draft.terminal;
  let binary: string;
  try {
    binary = atob(rest) + atob(base64);
  } catch {
    return;
  }
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  const end = bytes.length - incompleteAtEnd(bytes);
  appendOutput(draft, newDecoder().decode(bytes.subarray(0, end)));
  const { truncated } = draft.terminal;
  draft.terminal = {
    ...terminal,
    ...(truncated && { truncated }),
    ...(end < bytes.length && { rest: btoa(binary.slice(end)) }),
  };
}

/** Returns how many bytes at the end are the beginning of a UTF-8 character whose other bytes are missing. */
function incompleteAtEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count += 1) {
    const byte = bytes[bytes.length - count] as number;
    if (byte >= 0x80 && byte < 0xc0) continue; // the first byte of the character comes before
    const isIncomplete = byte >= 0xc0 && newDecoder().decode(bytes.subarray(-count), { stream: true }) === "";
    return isIncomplete ? count : 0;
  }
  return 0;
}

/** Removes the members of an entry's `_meta` that are `null` in an update. */
function removeNulls(transcript: TranscriptParts, index: number, meta: object | null | undefined): void {
  const removed = Object.entries(meta ?? {}).filter(([, value]) => value === null);
  if (removed.length === 0) return;
  const members = transcript.entries().addMeta(index, {});
  for (const [name] of removed) members.delete(name);
}

/** Sets a member; `null` removes it, and `undefined` keeps it. */
function patch<T, Name extends keyof T>(target: T, name: Name, value: T[Name] | null | undefined): void {
  if (value === null) delete target[name];
  else if (value !== undefined) target[name] = value;
}

function setFlag<Name extends string>(target: { [Key in Name]?: true }, name: Name, isSet: boolean): void {
  if (isSet) target[name] = true;
  else delete target[name];
}

function isCancellable(capabilities: { readonly cancel?: object | null } | null): boolean {
  return capabilities?.cancel != null;
}

function withoutOther(entry: Draft<PlanTranscriptEntry>): Draft<PlanTranscriptEntry> {
  delete entry.other;
  return entry;
}

function workId(work: IncomingBackgroundWork): string {
  if (work.type === "terminal") return `terminal ${work.terminalId}`;
  return work.type === "tool_call" ? `tool_call ${work.toolCallId}` : work.type;
}
