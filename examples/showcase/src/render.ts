import {
  type IncomingContentBlock,
  type IncomingSessionUpdate,
  type IncomingToolCallContent,
  isKnownContentBlock,
  isKnownSessionUpdate,
  isKnownToolCallContent,
  type PlanEntryStatus,
  type ToolCallStatus,
} from "@acp-kit/types";
import type { Screen } from "./screen.js";
import { cyan, dim, green, italic, red, yellow } from "./style.js";

/** Shows updates as they arrive. It remembers tool calls, because their updates don't repeat their titles. */
export class Renderer {
  readonly #screen: Screen;
  readonly #titles = new Map<string, string>();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** The title of a tool call, if known. */
  titleOf(toolCallId: string): string {
    return this.#titles.get(toolCallId) ?? toolCallId;
  }

  show(update: IncomingSessionUpdate): void {
    const screen = this.#screen;
    if (!isKnownSessionUpdate(update)) {
      screen.row("unknown", update.sessionUpdate, dim);
      return;
    }
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        screen.stream(`user ${update.messageId}`, "user", textOf(update.content), cyan);
        break;
      case "agent_message_chunk":
        screen.stream(`agent ${update.messageId}`, "agent", textOf(update.content), (text) => text);
        break;
      case "agent_thought_chunk":
        screen.stream(`thought ${update.messageId}`, "thinks", textOf(update.content), (text) => dim(italic(text)));
        break;
      case "plan":
        screen.row("plan", update.entries.map(({ content, status }) => `${planMark[status]} ${content}`).join("  "));
        break;
      case "tool_call":
        this.#titles.set(update.toolCallId, update.title);
        this.#toolCall(update.title, update.status ?? "pending", update.content ?? []);
        break;
      case "tool_call_update": {
        const title = update.title ?? this.titleOf(update.toolCallId);
        this.#titles.set(update.toolCallId, title);
        if (update.status != null) this.#toolCall(title, update.status, update.content ?? []);
        break;
      }
      case "available_commands_update": {
        const names = update.availableCommands.map(({ name }) => `/${name}`);
        screen.row("commands", `${names.slice(0, 8).join(" ")}${names.length > 8 ? ` … ${names.length} in all` : ""}`);
        break;
      }
      case "session_info_update":
        if (update.title != null) screen.row("title", update.title);
        break;
      case "current_mode_update":
        screen.row("mode", update.currentModeId);
        break;
      case "usage_update":
        screen.row("usage", `${update.used} of ${update.size} tokens`, dim);
        break;
      case "notice":
        screen.row(update.severity, update.title, yellow);
        break;
      case "config_option_update":
      case "compaction_update":
      case "compaction_summary_chunk":
        screen.row("update", update.sessionUpdate, dim);
    }
  }

  #toolCall(title: string, status: ToolCallStatus, content: readonly IncomingToolCallContent[]): void {
    const { mark, paint } = statuses[status];
    this.#screen.row("tool", `${mark} ${title}${status === "pending" ? "" : `, ${status.replace("_", " ")}`}`, paint);
    for (const item of content) {
      if (!isKnownToolCallContent(item)) continue;
      if (item.type === "diff") this.#diff(item.path, item.oldText ?? "", item.newText);
      else if (item.type === "content") this.#quoted(textOf(item.content));
    }
  }

  #quoted(text: string): void {
    const lines = text.trimEnd().split("\n");
    for (const line of lines.slice(0, 6)) this.#screen.line(`│ ${line}`, dim, 16);
    if (lines.length > 6) this.#screen.line(`│ … ${lines.length - 6} more lines`, dim, 16);
  }

  /** Writes the lines that differ, with one line before and after. */
  #diff(path: string, oldText: string, newText: string): void {
    const [before, after] = [oldText.split("\n"), newText.split("\n")];
    let head = 0;
    while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
    let tail = 0;
    while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) {
      tail += 1;
    }
    const show = (mark: string, lines: readonly string[], paint: (text: string) => string): void => {
      for (const line of lines.slice(0, 12)) this.#screen.line(`${mark} ${line}`, paint, 16);
    };
    this.#screen.line(`± ${path.split(/[\\/]/).at(-1)}`, dim, 16);
    show(" ", before.slice(Math.max(head - 1, 0), head), dim);
    show("-", before.slice(head, before.length - tail), red);
    show("+", after.slice(head, after.length - tail), green);
    show(" ", after.slice(after.length - tail, after.length - tail + 1).filter(Boolean), dim);
  }
}

const planMark: Readonly<Record<PlanEntryStatus, string>> = { pending: "○", in_progress: "◐", completed: "●" };

const statuses: Readonly<Record<ToolCallStatus, { mark: string; paint: (text: string) => string }>> = {
  pending: { mark: "○", paint: dim },
  in_progress: { mark: "◐", paint: yellow },
  completed: { mark: "✓", paint: green },
  failed: { mark: "✗", paint: red },
};

/** Returns a block as text. */
export function textOf(block: IncomingContentBlock): string {
  if (!isKnownContentBlock(block)) return `[${block.type}]`;
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `[${block.name}: ${block.uri}]`;
  return `[${block.type}]`;
}
