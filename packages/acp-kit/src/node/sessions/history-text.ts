import type { IncomingSessionUpdate } from "@acp-kit/types";
import { cleanLine, cleanText } from "../chat/text/clean.js";
import type { Output } from "../output.js";

/** Prints the history of a session: each prompt after a `›`, the agent's messages, and a line for each tool call. */
export class HistoryText {
  readonly #output: Output;
  /** The author of the last printed message. */
  #speaker: "user" | "agent" | "none" = "none";

  constructor(output: Output) {
    this.#output = output;
  }

  add(update: IncomingSessionUpdate): void {
    if (update.sessionUpdate === "user_message_chunk") this.#message("user", textOf(update.content));
    else if (update.sessionUpdate === "agent_message_chunk") this.#message("agent", textOf(update.content));
    else if (update.sessionUpdate === "tool_call" && "title" in update) {
      this.end();
      const { dim } = this.#output.colours;
      this.#output.line(dim(`[${cleanLine(String(update.status ?? "pending"))}] ${cleanLine(String(update.title))}`));
    }
  }

  /** Ends the last message. */
  end(): void {
    if (this.#speaker !== "none") this.#output.line();
    this.#speaker = "none";
  }

  #message(speaker: "user" | "agent", text: string): void {
    if (this.#speaker !== speaker) {
      this.end();
      this.#speaker = speaker;
      if (speaker === "user") this.#output.write("› ");
    }
    this.#output.write(cleanText(text));
  }
}

function textOf(content: unknown): string {
  const { type, text, uri, name } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "text") return String(text ?? "");
  return `[${[type, name ?? uri].filter((part) => typeof part === "string").join(" ")}]`;
}
