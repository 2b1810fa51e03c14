import type { IncomingContentBlock, IncomingSessionUpdate, IncomingToolCallUpdate, PlanEntry } from "@acp-kit/types";
import { cleanLine } from "../chat/text/clean.js";
import { blockLabel } from "../chat/view/content-text.js";
import type { Colours } from "../colours.js";
import type { Log } from "../log.js";
import type { RunDecision } from "./permission-policy.js";

/** Logs the progress of a turn. Writes a line for each change of a tool call, permission or plan. */
export class Progress {
  readonly #log: Log;
  readonly #colours: Colours;
  readonly #cwd: string;
  /** The last logged state of each tool call, by the ids of its child session and itself. */
  readonly #calls = new Map<string, { title: string; status: string }>();

  constructor(log: Log, colours: Colours, cwd: string) {
    this.#log = log;
    this.#colours = colours;
    this.#cwd = cwd;
  }

  /** @param child the child session to which the update belongs. Of child sessions, only tool calls are logged. */
  show(update: IncomingSessionUpdate, child?: string): void {
    const { sessionUpdate } = update;
    if (child !== undefined && !sessionUpdate.startsWith("tool_call")) return;
    switch (sessionUpdate) {
      case "agent_message_chunk":
        this.#content((update as { content: IncomingContentBlock }).content);
        break;
      case "plan":
        this.#plan((update as { entries: readonly PlanEntry[] }).entries);
        break;
      case "tool_call":
      case "tool_call_update":
        this.#toolCall(update as IncomingToolCallUpdate, child);
    }
  }

  permission({ title, decision }: RunDecision): void {
    this.#log.info(
      `${this.#colours.yellow("?")} ${cleanLine(title)} ${this.#colours.dim(decision.replaceAll("_", " "))}`,
    );
  }

  #content(content: IncomingContentBlock): void {
    const { text, resource } = content as { readonly text?: unknown; readonly resource?: { readonly text?: unknown } };
    if (typeof (text ?? resource?.text) === "string") return;
    this.#log.warn(`not in the output: ${blockLabel(content, this.#cwd).text}`);
  }

  #plan(entries: readonly PlanEntry[]): void {
    const done = entries.filter(({ status }) => status === "completed").length;
    this.#log.info(this.#colours.dim(`plan: ${done} of ${entries.length} done`));
  }

  #toolCall({ toolCallId, title, status }: IncomingToolCallUpdate, child: string | undefined): void {
    const { dim, green, red } = this.#colours;
    const key = JSON.stringify([child, toolCallId]);
    const before = this.#calls.get(key) ?? { title: cleanLine(toolCallId), status: "pending" };
    const now = { title: cleanLine(title ?? "") || before.title, status: status ?? before.status };
    this.#calls.set(key, now);
    if (now.status === before.status) return;
    const mark = now.status === "completed" ? green("✓") : now.status === "failed" ? red("✗") : dim("·");
    this.#log.info(`${mark} ${now.title} ${dim(now.status.replaceAll("_", " "))}`);
  }
}
