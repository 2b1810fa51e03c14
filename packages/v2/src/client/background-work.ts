import type { IncomingBackgroundWork, IncomingToolCallUpdate, TerminalUpdate } from "@acp-kit/types/v2";
import { isFinal } from "../codec/tool-call.js";
import { BoundedMap } from "../session/bounded-map.js";

/** The number of tool calls and of terminals that are remembered, and of items in the list of background work. */
const MAX_ITEMS = 1_000;

/** The number of terminals of one tool call that are remembered, and the length of their ids together. */
const MAX_TERMINALS = 100;
const MAX_TERMINAL_CHARACTERS = 10_000;

interface Call {
  /** The work in which the call began; `undefined` if it began outside work. */
  readonly work: number | undefined;
  canCancel: boolean;
  hasEnded: boolean;
  terminalIds: readonly string[];
}

interface Terminal {
  canCancel: boolean;
  hasEnded: boolean;
}

/** The tool calls and terminals of a session: which of them continue independently of turns, and can be cancelled. */
export class BackgroundWork {
  readonly #calls = new BoundedMap<string, Call>(MAX_ITEMS);
  readonly #terminals = new BoundedMap<string, Terminal>(MAX_ITEMS);
  #list: readonly IncomingBackgroundWork[] | undefined;
  #ids: ReadonlySet<string> = new Set();

  /** Whether the session has had this tool call. */
  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  toolCall({ toolCallId, status, capabilities, content }: IncomingToolCallUpdate, work: number | undefined): void {
    let call = this.#calls.get(toolCallId);
    if (call === undefined) {
      call = { work, canCancel: false, hasEnded: false, terminalIds: [] };
      this.#calls.set(toolCallId, call);
    }
    if (status !== undefined) call.hasEnded = isFinal(status);
    if (capabilities !== undefined) call.canCancel = capabilities?.cancel != null;
    if (content !== undefined) call.terminalIds = withTerminals([], content ?? []);
  }

  content(toolCallId: string, content: NonNullable<IncomingToolCallUpdate["content"]>[number]): void {
    const call = this.#calls.get(toolCallId);
    if (call !== undefined) call.terminalIds = withTerminals(call.terminalIds, [content]);
  }

  terminal({ terminalId, capabilities, exitStatus }: TerminalUpdate): void {
    let terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) {
      terminal = { canCancel: false, hasEnded: false };
      this.#terminals.set(terminalId, terminal);
    }
    if (exitStatus !== undefined) terminal.hasEnded = exitStatus !== null;
    if (capabilities !== undefined) terminal.canCancel = capabilities?.cancel != null;
  }

  /**
   * Takes the list of a state. `undefined` and `null` mean that the agent does not report it. Returns the list if it
   * has changed, with at most 1,000 items, each of them once.
   */
  listed(
    background: readonly IncomingBackgroundWork[] | null | undefined,
  ): { readonly list: BackgroundWork["list"] } | undefined {
    const items = new Map(background?.slice(0, MAX_ITEMS).map((item) => [idOf(item), item]));
    const list = background && [...items.values()];
    const isEqual = list?.length === this.#list?.length && [...items.keys()].every((id) => this.#ids.has(id));
    if (isEqual) return undefined;
    this.#list = list ?? undefined;
    this.#ids = new Set(items.keys());
    return { list: this.#list };
  }

  get list(): readonly IncomingBackgroundWork[] | undefined {
    return this.#list;
  }

  /** Whether the agent lists this tool call, or a terminal in its content, as work that continues. */
  continues(toolCallId: string | undefined): boolean {
    if (toolCallId === undefined) return false;
    if (this.#ids.has(`tool_call ${toolCallId}`)) return true;
    return this.#calls.get(toolCallId)?.terminalIds.some((id) => this.#ids.has(`terminal ${id}`)) ?? false;
  }

  /** Whether this tool call began in `work`, and the agent reports that nothing of it continues. */
  isForeground(toolCallId: string | undefined, work: number): boolean {
    if (toolCallId === undefined || this.#list === undefined) return false;
    return this.#calls.get(toolCallId)?.work === work && !this.continues(toolCallId);
  }

  canCancel(what: "tool_call" | "terminal", id: string): boolean {
    const part = what === "tool_call" ? this.#calls.get(id) : this.#terminals.get(id);
    return part?.canCancel === true && !part.hasEnded;
  }
}

/** Adds the terminals of a content, as far as there is room. */
function withTerminals(
  ids: readonly string[],
  content: NonNullable<IncomingToolCallUpdate["content"]>,
): readonly string[] {
  const added = content.flatMap((item) => (item.type === "terminal" ? [String(item.terminalId)] : []));
  let characters = 0;
  return [...new Set([...ids, ...added])].slice(0, MAX_TERMINALS).filter((id) => {
    characters += id.length;
    return characters <= MAX_TERMINAL_CHARACTERS;
  });
}

function idOf(work: IncomingBackgroundWork): string {
  if (work.type === "terminal") return `terminal ${work.terminalId}`;
  return work.type === "tool_call" ? `tool_call ${work.toolCallId}` : JSON.stringify(work);
}
