import { messageLimitDefaults, withinDepth } from "@acp-kit/protocol/internal";
import type {
  IncomingContentBlock,
  IncomingSessionUpdate,
  IncomingToolCallUpdate,
  KnownSessionUpdate,
} from "@acp-kit/types";
import { isKnownSessionUpdate } from "@acp-kit/types/decode";
import { withoutEmptyMembers } from "../permissions/empty-members.js";
import { addToSummary, mergeCompaction, newCompaction } from "./compaction.js";
import { EntryList } from "./entry-list.js";
import { isPlainText, joinedText, type MessageDraft } from "./message-draft.js";
import { matchEcho } from "./prompt-echo.js";
import { applySessionUpdate } from "./session-facts.js";
import { TerminalList } from "./terminal-list.js";
import { addTokens, tokensOf } from "./token-count.js";
import { addTerminal, decidedPermission, isOpen, mergeToolCall, newToolCall, withoutTerminals } from "./tool-call.js";
import type {
  CompactionEntry,
  MessageEntry,
  PlanTranscriptEntry,
  ToolCallEntry,
  TranscriptEntry,
} from "./transcript-entry.js";
import type {
  PermissionDecidedEvent,
  PermissionRequestedEvent,
  PromptSentEvent,
  ReplayEndedEvent,
  SessionOpenedEvent,
  TranscriptEvent,
  TurnEndedEvent,
} from "./transcript-event.js";
import type { ExtendTranscript, Position, TranscriptExtension } from "./transcript-extension.js";
import type { TranscriptSnapshot, TranscriptTurn } from "./transcript-snapshot.js";
import type { Draft } from "./writable.js";

/** The depth beyond which values are cut. It is the limit for messages, so received values are never cut. */
const MAX_DEPTH = messageLimitDefaults.maxMessageDepth;

type Chunk = Extract<KnownSessionUpdate, { sessionUpdate: `${string}_message_chunk` | "agent_thought_chunk" }>;

/**
 * Applies events to a transcript and creates immutable snapshots of it. Two snapshots share the parts that did not
 * change. The cost of an event does not depend on the length of the transcript. Each snapshot copies the list of
 * entries once.
 *
 * If a value is nested deeper than messages are allowed to be, only its upper levels are kept, so that a snapshot can
 * always be serialized.
 */
export class TranscriptBuilder {
  #snapshot: TranscriptSnapshot;
  /** The changes since the latest snapshot, except for entries and terminals. */
  #next: Draft<TranscriptSnapshot> | undefined;
  /** The turns of `#next`, if no snapshot contains the array, so that it can be changed in place. */
  #turns: TranscriptTurn[] | undefined;
  #entries: EntryList;
  readonly #terminals: TerminalList;
  readonly #extension: TranscriptExtension | undefined;
  /** The indexes of tool calls that have not ended. */
  #open = new Set<number>();
  /**
   * The indexes of the turns that run, the turn on which the agent works last: a prompt of this client may wait for a
   * turn of another client.
   */
  #running: number[];
  /**
   * The message that got the last chunk, if no snapshot was created since then. Most chunks continue this message, so
   * no search is needed.
   */
  #current:
    | {
        type: MessageEntry["type"];
        messageId: string | null | undefined;
        length: number;
        index: number;
        draft: MessageDraft;
      }
    | undefined;

  constructor(snapshot: TranscriptSnapshot, extend?: ExtendTranscript) {
    this.#snapshot = snapshot;
    this.#entries = new EntryList(snapshot.entries);
    this.#terminals = new TerminalList(snapshot.terminals);
    this.#running = runningOf(snapshot.turns);
    this.#extension = extend?.({
      entries: () => this.#entries,
      terminals: this.#terminals,
      now: () => this.#now,
      running: () => this.#running,
      draft: () => this.#draft(),
      position: () => this.#position(),
      addMessage: (type, messageId) => this.#addMessage(type, messageId),
      callAt: (toolCallId) => this.#callAt(toolCallId),
      abandonOpen: () => this.#abandonOpen(),
    });
    this.#findOpen();
  }

  /** The current snapshot of the transcript. It is the same object until something changes. */
  get snapshot(): TranscriptSnapshot {
    if (!this.#isChanged) return this.#snapshot;
    const next = this.#draft();
    this.#extension?.freeze(next);
    if (this.#entries.changed) next.entries = this.#entries.freeze();
    if (this.#terminals.changed) next.terminals = this.#terminals.freeze();
    this.#snapshot = next;
    this.#next = undefined;
    this.#turns = undefined;
    this.#current = undefined;
    return next;
  }

  /** Applies an event; returns whether the snapshot has changed. */
  apply(event: TranscriptEvent): boolean {
    return event.type === "update" ? this.update(event.update) : this.#apply(withinDepth(event, MAX_DEPTH));
  }

  #apply(event: Exclude<TranscriptEvent, { type: "update" }>): boolean {
    switch (event.type) {
      case "session_opened":
        this.#sessionOpened(event);
        break;
      case "prompt_sent":
        this.#promptSent(event);
        break;
      case "turn_joined":
        this.#turnJoined(event.origin);
        break;
      case "turn_cancelled":
        if (this.#now.activity === "running" && this.#now.held === undefined) this.#abandonOpen();
        break;
      case "turn_ended":
        this.#turnEnded(event);
        break;
      case "permission_requested":
        this.#permissionAsked(event);
        break;
      case "permission_decided":
        this.#permissionAnswered(event);
        break;
      case "replay_began":
        this.#replayBegan();
        break;
      case "replay_ended":
        this.#replayEnded(event);
        break;
      case "terminal":
        this.#terminals.apply(event);
        break;
      default: // also an unknown event, which an application in plain JavaScript can pass
        this.#extension?.apply(event);
    }
    return this.#isChanged;
  }

  /** Applies an update, the most frequent event; see {@link apply}. */
  update(update: IncomingSessionUpdate): boolean {
    return this.#update(isPlainChunk(update) ? update : withinDepth(update, MAX_DEPTH));
  }

  #update(update: IncomingSessionUpdate): boolean {
    const known = update as KnownSessionUpdate; // unknown updates reach `default`; the most frequent cases are first
    switch (known.sessionUpdate) {
      case "agent_message_chunk":
        return this.#chunk("agent_message", known);
      case "tool_call":
      case "tool_call_update":
        this.#toolCall(known);
        return true;
      case "agent_thought_chunk":
        return this.#chunk("thought", known);
      case "user_message_chunk":
        this.#userChunk(known);
        break;
      case "plan":
        this.#plan(known);
        break;
      case "notice": {
        const { severity, title, description, _meta: meta } = known;
        const notice = { severity, title, ...(description != null && { description }), ...(meta && { meta }) };
        this.#entries.push({ type: "notice", ...notice, ...this.#position() });
        break;
      }
      case "compaction_update":
        this.#compaction(known.compactionId, (entry) => mergeCompaction(entry, known));
        break;
      case "compaction_summary_chunk":
        this.#compaction(known.compactionId, (entry) => addToSummary(entry, known.content));
        break;
      default:
        if (this.#extension?.update(update)) break;
        if (isKnownSessionUpdate(update)) applySessionUpdate(this.#draft(), known);
        else this.#entries.push({ type: "unknown", update, ...this.#position() });
    }
    return this.#isChanged;
  }

  // ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #chunk(type: MessageEntry["type"], { content, messageId, _meta: meta }: Omit<Chunk, "sessionUpdate">): boolean {
    const current = this.#current;
    const { length } = this.#entries;
    if (
      current !== undefined &&
      current.messageId === messageId &&
      current.type === type &&
      current.length === length
    ) {
      current.draft.append(content);
      if (meta != null) this.#entries.addMeta(current.index, meta);
      return true;
    }
    let index = this.#continued(type, messageId ?? undefined);
    if (index === undefined) {
      // Some agents send a chunk with only `_meta` first.
      if (isPlainText(content) && content.text === "") return this.#isChanged;
      index = this.#addMessage(type, messageId);
    }
    const draft = this.#entries.draft(index);
    draft.append(content);
    if (meta != null) this.#entries.addMeta(index, meta);
    this.#current = { type, messageId, length: this.#entries.length, index, draft };
    return true;
  }

  #addMessage(type: MessageEntry["type"], messageId: string | null | undefined): number {
    if (type === "user_message" && this.#now.replaying) this.#replayTurn();
    const named = messageId != null && { messageId };
    return this.#entries.push({ type, ...named, content: [], text: "", ...this.#position() });
  }

  /**
   * Returns the index of the message that a chunk continues. A chunk with an id continues the message with the same id,
   * at any position. A chunk without an id continues the last entry if that entry is a message of the same type. So a
   * tool call, a message of another type, the end of the turn or of the history ends a message without an id. The end
   * of the history does not end a message of a turn that still runs.
   */
  #continued(type: MessageEntry["type"], messageId: string | undefined): number | undefined {
    if (messageId !== undefined) return this.#entries.find(type, messageId);
    const index = this.#entries.length - 1;
    const last = this.#entries.at(index);
    const { replaying, turns } = this.#now;
    if (last?.type !== type) return undefined;
    const of = this.#turnOfNext();
    if (of === undefined ? last.replayed !== replaying : last.turn !== of) return undefined;
    if (last.turn !== undefined && turns[last.turn]?.state === "ended") return undefined;
    const turn = turns.at(-1);
    // A prompt of this client is complete when it is sent
    const isPrompt = turn?.firstEntry === index && turn.state !== "replayed" && turn.joined === undefined;
    return isPrompt ? undefined : index;
  }

  #userChunk(chunk: Omit<Chunk, "sessionUpdate">): void {
    const turn = this.#now.turns.at(-1);
    const isOwn = turn?.state === "running" && turn.joined === undefined;
    const isFirst = isOwn && this.#entries.length === turn.firstEntry + 1;
    const { messageId } = chunk;
    const known = messageId == null ? undefined : this.#entries.find("user_message", messageId);
    const isOther = known !== undefined && known !== turn?.firstEntry;
    if (!isFirst || isOther) this.#chunk("user_message", chunk);
    else this.#echo(turn, this.#entries.message(turn.firstEntry), chunk);
  }

  /**
   * Handles a user message chunk after a prompt. Some agents send the prompt back as an echo, which is not a separate
   * message.
   */
  #echo(turn: TranscriptTurn, prompt: MessageEntry, chunk: Omit<Chunk, "sessionUpdate">): void {
    const { content } = chunk;
    if (isPlainText(content) && content.text === "") return;
    const { echo, own } = matchEcho(turn.echo, prompt, chunk);
    if (echo !== turn.echo) {
      const { echo: _, ...rest } = turn;
      this.#setTurn(this.#now.turns.length - 1, { ...rest, ...(echo && { echo }) });
    }
    for (const message of own) this.#chunk("user_message", message);
  }

  // ── tool calls, plans, compactions ─────────────────────────────────────────────────────────────────────────────────

  #toolCall(update: IncomingToolCallUpdate): void {
    const { toolCallId, _meta: meta } = update;
    const terminalId = meta == null ? undefined : this.#terminals.applyMeta(toolCallId, meta);
    const index = this.#callAt(toolCallId);
    const entry = this.#entries.edit<ToolCallEntry>(index);
    const { status, unfinished } = entry;
    mergeToolCall(entry, update);
    const rest = meta == null ? undefined : withoutTerminals(meta);
    if (rest !== undefined) this.#entries.addMeta(index, rest);
    if (terminalId !== undefined) addTerminal(entry, terminalId);
    this.#extension?.toolCall(index, entry, update);
    if (entry.status === status && entry.unfinished === unfinished) return;
    if (isOpen(entry)) this.#open.add(index);
    else this.#open.delete(index);
  }

  #callAt(toolCallId: string): number {
    const known = this.#entries.find("tool_call", toolCallId);
    if (known !== undefined) return known;
    const index = this.#entries.push(newToolCall(toolCallId, this.#position()));
    this.#open.add(index);
    return index;
  }

  #permissionAsked({ requestId, toolCall, options }: PermissionRequestedEvent): void {
    this.#toolCall(withoutEmptyMembers(toolCall));
    const entry = this.#entries.edit<ToolCallEntry>(this.#callAt(toolCall.toolCallId));
    entry.permission = { requestId, state: "open", options };
  }

  #permissionAnswered({ requestId, toolCallId, outcome }: PermissionDecidedEvent): void {
    const index = this.#entries.find("tool_call", toolCallId);
    const entry = index === undefined ? undefined : (this.#entries.at(index) as ToolCallEntry);
    if (index === undefined || entry?.permission?.requestId !== requestId) return;
    this.#entries.edit<ToolCallEntry>(index).permission = decidedPermission(entry.permission, outcome);
  }

  #plan({ entries, _meta: meta }: Extract<KnownSessionUpdate, { sessionUpdate: "plan" }>): void {
    this.#draft().plan = entries;
    const index = this.#entries.lastOf("plan");
    const before = this.#entries.at(index);
    if (before === undefined || index < this.#entries.lastOf("user_message")) {
      if (entries.length === 0) return;
      this.#entries.push({ type: "plan", entries, ...(meta && { meta }), ...this.#position() });
    } else if (before.type === "plan") {
      const entry = this.#entries.edit<PlanTranscriptEntry>(index);
      entry.entries = entries;
      if (meta) entry.meta = meta;
    }
  }

  #compaction(compactionId: string, change: (entry: CompactionEntry) => CompactionEntry): void {
    const index = this.#entries.find("compaction", compactionId);
    if (index === undefined) this.#entries.push(change({ ...newCompaction(compactionId), ...this.#position() }));
    else this.#entries.set(index, change(this.#entries.at(index) as CompactionEntry));
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  #promptSent({ prompt, messageId }: PromptSentEvent): void {
    const last = this.#now.turns.at(-1);
    if (last !== undefined && this.#isSentAgain(last, prompt)) {
      this.#setTurn(this.#now.turns.length - 1, { ...last, state: "running" });
      return;
    }
    this.#pushTurn({ state: "running", firstEntry: this.#entries.length });
    const named = messageId !== undefined && { messageId };
    this.#entries.push({
      type: "user_message",
      ...named,
      content: prompt,
      text: joinedText(prompt),
      ...this.#position(),
    });
  }

  #turnJoined(origin?: "agent"): void {
    // It began in the history that was just replayed
    if (this.#running.some((index) => this.#now.turns[index]?.joined)) return;
    const by = origin !== undefined && { origin };
    this.#pushTurn({ state: "running", joined: true, ...by, firstEntry: this.#entries.length });
  }

  /**
   * Returns whether a prompt that got no response is being sent again, for example after a login. Both attempts belong
   * to the same turn.
   */
  #isSentAgain(turn: TranscriptTurn, prompt: readonly IncomingContentBlock[]): boolean {
    const { state, joined, stopReason, error, firstEntry } = turn;
    if (state !== "ended" || joined || (stopReason ?? error) !== undefined) return false;
    if (this.#entries.length !== firstEntry + 1) return false;
    const entry = this.#entries.at(firstEntry) as MessageEntry;
    return entry.content.length === prompt.length && entry.text === joinedText(prompt);
  }

  #turnEnded(event: TurnEndedEvent): void {
    const { turns, held, activity } = this.#now;
    this.#current = undefined;
    const last = turns.at(-1);
    // The session may have been loaded again since the prompt was sent. During the load, the turn is in `held`.
    const isHeld = held !== undefined && (last === undefined || last.state === "replayed");
    const running = this.#running.findLast((other) => turns[other]?.joined === event.joined);
    const index = isHeld ? held.turns.length - 1 : (running ?? turnToEnd(turns, event));
    const turn = (isHeld ? held.turns : turns)[index];
    const ended = turn && endedTurn(turn, event);
    if (isHeld && turn !== undefined && ended !== undefined) {
      const entries = turn.state === "running" ? held.entries.map(abandoned) : held.entries;
      this.#draft().held = { ...held, entries, turns: held.turns.with(-1, ended) };
    } else if (ended !== undefined) this.#setTurn(index, ended);
    if (activity === "running") {
      if (this.#running.length === 0) this.#draft().activity = "idle";
      if (held === undefined) this.#abandonOpen(this.#running);
    }
    if (ended === undefined) return;
    const { usage } = ended;
    if (usage === undefined) return;
    const next = this.#draft();
    next.usage = { ...next.usage, lastTurn: usage, total: addTokens(next.usage.total, usage) };
  }

  #replayTurn(): void {
    this.#ownTurns().push({ state: "replayed", firstEntry: this.#entries.length });
  }

  #pushTurn(turn: TranscriptTurn): void {
    this.#setTurn(this.#now.turns.length, turn);
  }

  #setTurn(index: number, turn: TranscriptTurn): void {
    this.#ownTurns()[index] = turn;
    this.#current = undefined;
    this.#running = this.#running.filter((other) => other !== index);
    if (turn.state !== "running") return;
    this.#running.push(index);
    this.#draft().activity = "running";
  }

  /** Returns the list of turns, which the caller may change in place until the next snapshot. */
  #ownTurns(): TranscriptTurn[] {
    const next = this.#draft();
    if (this.#turns === undefined || next.turns !== this.#turns) {
      this.#turns = [...next.turns];
      next.turns = this.#turns;
    }
    return this.#turns;
  }

  /**
   * Marks open tool calls as unfinished, because their turn has ended or was cancelled, except those of the turns in
   * `running`.
   */
  #abandonOpen(running: readonly number[] = []): void {
    for (const index of this.#open) {
      const turn = this.#entries.at(index)?.turn;
      if (turn !== undefined && running.includes(turn)) continue;
      if (this.#extension?.continues(this.#entries.at(index) as ToolCallEntry)) continue;
      this.#entries.edit<ToolCallEntry>(index).unfinished = true;
      this.#open.delete(index);
    }
  }

  // ── the session ────────────────────────────────────────────────────────────────────────────────────────────────────

  #sessionOpened({ sessionId, modes, configOptions }: SessionOpenedEvent): void {
    const next = this.#draft();
    if (sessionId !== undefined) next.sessionId = sessionId;
    if (modes != null) {
      next.modes = { currentModeId: modes.currentModeId, availableModes: modes.availableModes };
    }
    if (configOptions != null) next.configOptions = configOptions;
  }

  #replayBegan(): void {
    const { entries, turns, plan, children, held } = this.snapshot;
    const next = this.#draft();
    next.held = held ?? { entries, turns, ...(plan && { plan }), ...(children && { children }) };
    delete next.children;
    next.replaying = true;
    next.turns = [];
    this.#running = [];
    delete next.plan;
    this.#replaceEntries([]);
  }

  #replayEnded({ failed = false, running = false }: ReplayEndedEvent): void {
    const next = this.#draft();
    const { held } = next;
    delete next.replaying;
    delete next.held;
    this.#current = undefined;
    if (!failed || held === undefined) {
      const index = next.turns.length - 1;
      const last = next.turns[index];
      if (running && last?.state === "replayed") this.#setTurn(index, { ...last, state: "running", joined: true });
      else if (running) this.#turnJoined();
      this.#abandonOpen(this.#running);
      return;
    }
    this.#extension?.freeze(next); // what it has added since the last snapshot belongs to the failed history
    next.turns = held.turns;
    this.#running = runningOf(held.turns);
    const { plan, children } = held;
    for (const name of ["plan", "children"] as const) delete next[name];
    Object.assign(next, plan && { plan }, children && { children });
    this.#replaceEntries(held.entries);
  }

  #replaceEntries(entries: readonly TranscriptEntry[]): void {
    this.#draft().entries = entries;
    this.#entries = new EntryList(entries);
    this.#current = undefined;
    this.#findOpen();
  }

  #findOpen(): void {
    this.#open = new Set();
    for (let index = 0; index < this.#entries.length; index++) {
      const entry = this.#entries.at(index);
      if (entry?.type === "tool_call" && isOpen(entry)) this.#open.add(index);
    }
  }

  // ── state ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  get #isChanged(): boolean {
    return this.#next !== undefined || this.#entries.changed || this.#terminals.changed;
  }

  get #now(): TranscriptSnapshot {
    return this.#next ?? this.#snapshot;
  }

  #draft(): Draft<TranscriptSnapshot> {
    this.#next ??= { ...this.#snapshot };
    return this.#next;
  }

  /**
   * Returns the key and the turn of the next entry, and whether the entry is history. Spread them after the other
   * members of the entry, because the JavaScript engine gives each object literal that begins with a spread a hidden
   * class of its own.
   */
  #position(): Position {
    const index = this.#entries.length;
    const isReplayed = this.#now.replaying === true;
    const turn = this.#turnOfNext();
    return {
      key: isReplayed ? `r${index}` : String(index),
      ...(turn !== undefined && { turn }),
      ...(isReplayed && { replayed: true as const }),
    };
  }

  #turnOfNext(): number | undefined {
    const { turns, replaying } = this.#now;
    return replaying && turns.at(-1)?.state === "replayed" ? turns.length - 1 : this.#running.at(-1);
  }
}

/** Returns the indexes of the turns that run. */
function runningOf(turns: readonly TranscriptTurn[]): number[] {
  return turns.flatMap(({ state }, index) => (state === "running" ? [index] : []));
}

/**
 * Returns the index of the latest turn that the event can be the end of: the turns of this client and those of others
 * each run one after the other.
 */
function turnToEnd(turns: readonly TranscriptTurn[], { joined }: TurnEndedEvent): number {
  let index = turns.length - 1;
  while (index >= 0 && turns[index]?.state !== "replayed" && turns[index]?.joined !== joined) index -= 1;
  return index;
}

/** Returns the turn after it has ended, or `undefined` if the event changes nothing. */
function endedTurn(turn: TranscriptTurn, { stopReason, error, response }: TurnEndedEvent): TranscriptTurn | undefined {
  const { state, firstEntry, joined, origin } = turn;
  if (state === "replayed" || (turn.stopReason ?? turn.error) !== undefined) return undefined;
  if (state === "ended" && (stopReason ?? error) === undefined) return undefined;
  const usage = response && tokensOf(response);
  return {
    state: "ended",
    ...(joined && { joined }),
    ...(origin && { origin }),
    firstEntry,
    ...(stopReason && { stopReason }),
    ...(error && { error }),
    ...(usage && { usage }),
  };
}

/** Returns the entry, marked as unfinished if it is a tool call that is open. */
function abandoned(entry: TranscriptEntry): TranscriptEntry {
  return entry.type === "tool_call" && isOpen(entry) ? { ...entry, unfinished: true } : entry;
}

/** Returns whether an update is a chunk of plain text. Such updates are the most frequent, and never nested deep. */
function isPlainChunk(update: IncomingSessionUpdate): boolean {
  const { sessionUpdate, content, _meta: meta } = update as Chunk;
  if (sessionUpdate !== "agent_message_chunk" && sessionUpdate !== "agent_thought_chunk") return false;
  return meta == null && isPlainText(content);
}
