import type { MessageEntry, ToolCallEntry, TranscriptEntry, TranscriptSnapshot } from "@acp-kit/client";
import { isFinalStatus } from "@acp-kit/client/internal";
import type { Canvas } from "../text/canvas.js";
import { maxItems, moreCharacters, moreOf } from "../text/limits.js";
import { completeLength } from "../text/render-markdown.js";
import { type Child, isOver, renderChild, stateOf } from "./child-view.js";
import { contentText } from "./content-text.js";
import { renderEntry, renderMessage } from "./entry-view.js";
import type { ToolCallSetting } from "./tool-call-view.js";

/** The lines that a snapshot adds: permanent lines, and lines of unfinished entries. */
export interface Advance {
  readonly settled: readonly string[];
  readonly live: readonly string[];
}

/** Options of drawing a snapshot. */
export interface AdvanceOptions {
  readonly canvas: Canvas;
  readonly cwd: string;
  readonly spinner?: string;
  /** Whether the turn has ended. Unfinished entries are then final. */
  readonly flush?: boolean;
}

/**
 * Converts a transcript to lines for a terminal. The entries of a transcript change until they are finished, but
 * written lines can't change. So an entry is written when it is settled: a tool call when it has ended, a message block
 * by block, a plan at the end of its turn, and a child session when its work has ended.
 */
export class Scrollback {
  /** All entries before this index are settled. */
  #first = 0;
  /** How many characters of each entry from `#first` on are written. Infinity: the whole entry. */
  readonly #done = new Map<string, number>();
  /** The part of each unfinished message that is written. */
  readonly #written = new Map<string, string>();
  /** The status with which each tool call was written. The status may still change. */
  readonly #calls = new Map<string, ToolCallEntry["status"]>();
  /** The state with which each child session was written, and the number of its turns. */
  readonly #children = new Map<string, string>();
  /** The kind of the last output. An empty line comes before the next one, unless both are a `line`. */
  #last: "line" | "block" | "message" | undefined;

  /** Returns settled entries as permanent lines, and the other entries as unfinished lines. */
  advance(snapshot: TranscriptSnapshot, options: AdvanceOptions): Advance {
    const settled: string[] = [];
    const live: string[] = [];
    const { entries } = snapshot;
    for (let index = this.#first; index < entries.length; index += 1) {
      const entry = entries[index] as TranscriptEntry;
      if (this.#done.get(entry.key) === Number.POSITIVE_INFINITY) continue;
      if (isMessage(entry)) this.#message(entry, index === entries.length - 1, options, settled, live);
      else this.#thing(entry, snapshot, options, settled, live);
    }
    this.#late(snapshot, options, settled);
    if (snapshot.children !== undefined) this.#subagents(Object.values(snapshot.children), options, settled, live);
    while (this.#done.get(entries[this.#first]?.key ?? "") === Number.POSITIVE_INFINITY) this.#first += 1;
    return { settled, live };
  }

  #message(entry: MessageEntry, isLast: boolean, options: AdvanceOptions, settled: string[], live: string[]): void {
    const { text, missing } = contentText(entry.content, options.cwd);
    // A message that the agent has replaced is written again
    const written = text.startsWith(this.#written.get(entry.key) ?? "") ? (this.#done.get(entry.key) ?? 0) : 0;
    const rest = text.slice(written);
    const isOver = !isLast || options.flush === true;
    const length = isOver || entry.type === "user_message" ? rest.length : completeLength(rest);
    const lines = renderMessage(entry.type, rest.slice(0, length), options.canvas);
    const more = missing > 0 ? [options.canvas.paint.dim(moreCharacters(missing))] : [];
    if (isOver) lines.push(...more);
    // The parts of a message are paragraphs: `#write` puts an empty line before each of them.
    if (lines.length > 0) this.#write(lines, "message", settled);
    this.#done.set(entry.key, isOver ? Number.POSITIVE_INFINITY : written + length);
    if (isOver) this.#written.delete(entry.key);
    else this.#written.set(entry.key, text.slice(0, written + length));
    if (!isOver) draw([...renderMessage(entry.type, rest.slice(length), options.canvas), ...more], live);
  }

  #thing(
    entry: Exclude<TranscriptEntry, MessageEntry>,
    snapshot: TranscriptSnapshot,
    { canvas, cwd, spinner, flush }: AdvanceOptions,
    settled: string[],
    live: string[],
  ): void {
    const setting: ToolCallSetting = { terminals: snapshot.terminals, cwd, ...(spinner && { spinner }) };
    if (flush || isDone(entry, snapshot.activity)) {
      const lines = renderEntry(entry, setting, canvas);
      this.#write(lines, lines.length === 1 ? "line" : "block", settled);
      this.#done.set(entry.key, Number.POSITIVE_INFINITY);
      if (entry.type === "tool_call") this.#calls.set(entry.key, entry.status);
    } else if (entry.type !== "plan") {
      draw(renderEntry(entry, { ...setting, maxDiff: 30, maxOutput: 8, maxText: 6 }, canvas), live);
    }
  }

  /** Writes a tool call again if its status has changed, as that of a background command can. */
  #late(snapshot: TranscriptSnapshot, { canvas, cwd }: AdvanceOptions, settled: string[]): void {
    if (this.#calls.size === 0) return;
    for (const entry of snapshot.entries) {
      if (entry.type !== "tool_call") continue;
      const status = this.#calls.get(entry.key);
      if (status === undefined || status === entry.status) continue;
      this.#calls.set(entry.key, entry.status);
      this.#write(renderEntry(entry, { terminals: snapshot.terminals, cwd }, canvas), "block", settled);
    }
  }

  #subagents(children: readonly Child[], options: AdvanceOptions, settled: string[], live: string[]): void {
    const { canvas, cwd, flush } = options;
    let working = 0;
    for (const child of children) {
      const state = `${stateOf(child)} ${child.transcript.turns.length}`;
      if (this.#children.get(child.sessionId) === state) continue;
      if (flush || isOver(child)) {
        this.#children.set(child.sessionId, state);
        const lines = renderChild(child, { cwd }, canvas);
        this.#write(lines, lines.length === 1 ? "line" : "block", settled);
      } else {
        working += 1;
        if (working <= maxItems.children) draw(renderChild(child, options, canvas), live);
      }
    }
    if (working > maxItems.children) draw([moreOf(working - maxItems.children, "subagent")], live);
  }

  #write(lines: readonly string[], kind: "line" | "block" | "message", settled: string[]): void {
    if (lines.length === 0) return;
    if (!(kind === "line" && this.#last === "line")) settled.push("");
    for (const line of lines) settled.push(line); // `push(...lines)` exceeds the stack with many lines
    this.#last = kind;
  }

  /** Called after other output, so that an empty line separates the next entry from it. */
  interrupted(): void {
    this.#last = "block";
  }
}

function draw(lines: readonly string[], live: string[]): void {
  if (lines.length === 0) return;
  if (live.length > 0) live.push("");
  live.push(...lines);
}

function isMessage(entry: TranscriptEntry): entry is MessageEntry {
  return entry.type === "user_message" || entry.type === "agent_message" || entry.type === "thought";
}

function isDone(entry: Exclude<TranscriptEntry, MessageEntry>, activity: TranscriptSnapshot["activity"]): boolean {
  switch (entry.type) {
    case "tool_call": // while a cancelled turn runs, the agent may still send how the call ended
      return (entry.unfinished === true && activity === "idle") || isFinalStatus(entry.status);
    case "plan":
      return false; // drawn in the live area until its turn ends
    case "compaction":
      return entry.status !== "in_progress";
    default:
      return true;
  }
}
