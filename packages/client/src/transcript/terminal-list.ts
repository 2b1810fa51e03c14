import { TextRope } from "./text-rope.js";
import { terminalMembers } from "./tool-call.js";
import type { TerminalEvent } from "./transcript-event.js";
import type { TranscriptTerminal } from "./transcript-snapshot.js";

type Terminals = Readonly<Record<string, TranscriptTerminal>>;

/** The maximum length of a terminal's output, in UTF-16 units. If the output is longer, its beginning is dropped. */
export const MAX_TERMINAL_OUTPUT = 1_000_000;

/** A terminal in a form that can be changed. */
export interface TerminalDraft {
  terminal: TranscriptTerminal;
  output: TextRope;
  /** The length of `output`. */
  length: number;
}

/** The terminals of a transcript, in a form that can be changed. */
export class TerminalList {
  #terminals: Terminals;
  #drafts: Map<string, TerminalDraft> | undefined;

  constructor(terminals: Terminals) {
    this.#terminals = terminals;
  }

  get changed(): boolean {
    return this.#drafts !== undefined;
  }

  /** Applies an event about a terminal that this client runs. */
  apply({ terminalId, command, cwd, output, data, truncated, exit, released }: TerminalEvent): void {
    const draft = this.draft(terminalId, "client");
    draft.terminal = {
      ...draft.terminal,
      owner: "client",
      ...(command !== undefined && { command }),
      ...(cwd !== undefined && { cwd }),
      ...(truncated && { truncated }),
      ...(exit && { exit: exitOf(exit.exitCode, exit.signal) }),
      ...(released && { released }),
    };
    if (output !== undefined) replaceOutput(draft, output);
    if (data !== undefined) appendOutput(draft, data);
  }

  /**
   * Applies the `_meta` of a tool call, in which agents send the directory, more output and the exit of terminals that
   * they run themselves. Returns the id of the terminal; if the agent sends none, the id of the tool call.
   */
  applyMeta(toolCallId: string, meta: Readonly<Record<string, unknown>>): string | undefined {
    let terminalId: string | undefined;
    for (const name of terminalMembers) {
      const value = meta[name];
      if (typeof value !== "object" || value === null) continue;
      const { terminal_id, cwd, data, exit_code, signal } = value as Record<string, unknown>;
      terminalId = typeof terminal_id === "string" ? terminal_id : toolCallId;
      const draft = this.draft(terminalId, "agent");
      if (name === "terminal_info" && typeof cwd === "string") draft.terminal = { ...draft.terminal, cwd };
      // Agents send each piece of output once, under one of these two names.
      if ((name === "terminal_output" || name === "terminal_output_delta") && typeof data === "string")
        appendOutput(draft, data);
      if (name === "terminal_exit") draft.terminal = { ...draft.terminal, exit: exitOf(exit_code, signal) };
    }
    return terminalId;
  }

  freeze(): Terminals {
    if (this.#drafts === undefined) return this.#terminals;
    const terminals = { ...this.#terminals };
    for (const [terminalId, draft] of this.#drafts) {
      const output = draft.output.toString();
      const kept = tail(output);
      const isCut = kept.length < output.length;
      // `defineProperty` makes even `__proto__` a member like any other.
      Object.defineProperty(terminals, terminalId, {
        value: { ...draft.terminal, output: kept, ...(isCut && { truncated: true as const }) },
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    this.#drafts = undefined;
    this.#terminals = terminals;
    return terminals;
  }

  /** Returns the draft of a terminal, which it adds if it is unknown. */
  draft(terminalId: string, owner: TranscriptTerminal["owner"]): TerminalDraft {
    this.#drafts ??= new Map();
    let draft = this.#drafts.get(terminalId);
    if (draft === undefined) {
      const known = Object.hasOwn(this.#terminals, terminalId) ? this.#terminals[terminalId] : undefined;
      const terminal = known ?? { terminalId, owner, output: "" };
      draft = { terminal, output: new TextRope(terminal.output), length: terminal.output.length };
      this.#drafts.set(terminalId, draft);
    }
    return draft;
  }
}

/** Replaces the output. */
export function replaceOutput(draft: TerminalDraft, output: string): void {
  draft.output = new TextRope(output);
  draft.length = output.length;
}

/**
 * Appends output. The output is cut only when it has twice the limit, so that the average cost of appending does not
 * depend on the length of the output.
 */
export function appendOutput(draft: TerminalDraft, data: string): void {
  draft.output.append(data);
  draft.length += data.length;
  if (draft.length < 2 * MAX_TERMINAL_OUTPUT) return;
  const kept = tail(draft.output.toString());
  draft.terminal = { ...draft.terminal, truncated: true };
  replaceOutput(draft, kept);
}

/** Returns the end of the output. It does not begin with half a surrogate pair. */
function tail(output: string): string {
  if (output.length <= MAX_TERMINAL_OUTPUT) return output;
  const start = output.length - MAX_TERMINAL_OUTPUT;
  const unit = output.charCodeAt(start);
  return output.slice(unit >= 0xdc00 && unit <= 0xdfff ? start + 1 : start);
}

export function exitOf(exitCode: unknown, signal: unknown): { exitCode?: number; signal?: string } {
  return { ...(typeof exitCode === "number" && { exitCode }), ...(typeof signal === "string" && { signal }) };
}
