import type { IncomingSessionUpdate } from "@acp-kit/schema";
import type { Colours } from "../colours.js";
import type { Log } from "../log.js";
import type { AnsweredPermission } from "./permission-policy.js";
import type { TurnRecord } from "./turn-record.js";

/** Tells what happens while a turn runs, a line for each thing: tool calls as they begin and end, permissions, plans. */
export class Progress {
  readonly #log: Log;
  readonly #colours: Colours;
  readonly #told = new Map<string, string>();

  constructor(log: Log, colours: Colours) {
    this.#log = log;
    this.#colours = colours;
  }

  /** An update has come, and the record holds it. */
  show(update: IncomingSessionUpdate, record: TurnRecord): void {
    const { dim, green, red } = this.#colours;
    if (update.sessionUpdate === "plan") {
      const entries = record.plan ?? [];
      const done = entries.filter(({ status }) => status === "completed").length;
      this.#log.info(dim(`plan: ${done} of ${entries.length} done`));
      return;
    }
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const call = record.toolCall((update as { toolCallId: string }).toolCallId);
    if (call === undefined || this.#told.get(call.toolCallId) === call.status) return;
    this.#told.set(call.toolCallId, call.status);
    const mark = { completed: green("✓"), failed: red("✗") }[call.status as string] ?? dim("·");
    if (call.status !== "pending") this.#log.info(`${mark} ${call.title || call.toolCallId} ${dim(call.status)}`);
  }

  permission({ title, answer }: AnsweredPermission): void {
    this.#log.info(`${this.#colours.yellow("?")} ${title} ${this.#colours.dim(answer.replaceAll("_", " "))}`);
  }
}
