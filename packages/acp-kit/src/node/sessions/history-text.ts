import type { IncomingSessionUpdate } from "@acp-kit/types";
import { cleanLine, cleanText } from "../chat/text/clean.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import type { Output } from "../output.js";

/**
 * Prints the history of a session: each prompt after a `›`, the agent's messages, and a line for each tool call.
 * Secrets are redacted, except in the agent's messages, which \`acp-kit run\` prints unchanged, too.
 */
export class HistoryText {
  readonly #host: Pick<Host, "stdout" | "redactor">;
  readonly #output: Output;
  /** The prompt so far. It is printed as a whole, because a secret can begin in one chunk and end in the next. */
  #prompt = "";
  #speaker: "user" | "agent" | "none" = "none";

  constructor(host: Pick<Host, "stdout" | "redactor">) {
    this.#host = host;
    this.#output = host.stdout;
  }

  add(update: IncomingSessionUpdate): void {
    if (update.sessionUpdate === "user_message_chunk") this.#message("user", textOf(update.content));
    else if (update.sessionUpdate === "agent_message_chunk") this.#message("agent", textOf(update.content));
    else if (update.sessionUpdate === "tool_call" && "title" in update) {
      this.end();
      const { dim } = this.#output.colours;
      const title = hideInValue(String(update.title), this.#host);
      this.#output.line(dim(`[${cleanLine(String(update.status ?? "pending"))}] ${cleanLine(title)}`));
    }
  }

  /** Ends the last message. */
  end(): void {
    this.#output.write(cleanText(hideInValue(this.#prompt, this.#host)));
    this.#prompt = "";
    if (this.#speaker !== "none") this.#output.line();
    this.#speaker = "none";
  }

  #message(speaker: "user" | "agent", text: string): void {
    if (this.#speaker !== speaker) {
      this.end();
      this.#speaker = speaker;
      if (speaker === "user") this.#output.write("› ");
    }
    if (speaker === "user") this.#prompt += text;
    else this.#output.write(cleanText(text));
  }
}

function textOf(content: unknown): string {
  const { type, text, uri, name } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "text") return String(text ?? "");
  return `[${[type, name ?? uri].filter((part) => typeof part === "string").join(" ")}]`;
}
