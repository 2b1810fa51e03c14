import type { OwnTerminal, ToolCallHandle } from "@acp-kit/agent";
import type { OwnTerminalInit } from "@acp-kit/agent/internal";
import { after } from "@acp-kit/protocol/internal";
import type { ToolCallContent } from "@acp-kit/types";
import { exitText, maxTerminalOutput, terminalText } from "../session/terminal-text.js";

type Exit = { readonly exitCode?: number | null; readonly signal?: string | null };

/** The interval between two updates of a terminal that is shown as text, in milliseconds. */
const TEXT_INTERVAL_MS = 250;

/**
 * A terminal of the agent for clients of version 1 that advertise `_meta.terminal_output`: its output is in the `_meta`
 * of the tool call.
 */
export class MetaTerminal implements OwnTerminal {
  readonly terminalId: string;
  readonly #call: ToolCallHandle;
  readonly #decoder = new TextDecoder();
  #hasExited = false;

  constructor(call: ToolCallHandle, { cwd }: OwnTerminalInit, terminalId: string) {
    this.#call = call;
    this.terminalId = terminalId;
    void call.update({
      content: [...call.content, { type: "terminal", terminalId }],
      _meta: { terminal_info: { terminal_id: terminalId, ...(cwd !== undefined && { cwd }) } },
    });
  }

  write(output: string | Uint8Array): Promise<void> | undefined {
    const data = typeof output === "string" ? output : this.#decoder.decode(output, { stream: true });
    if (this.#hasExited || data === "") return undefined;
    return this.#call.update({ _meta: { terminal_output: { terminal_id: this.terminalId, data } } });
  }

  exit({ exitCode = null, signal = null }: Exit = {}): Promise<void> | undefined {
    if (this.#hasExited) return undefined;
    this.#hasExited = true;
    const terminal_exit = { terminal_id: this.terminalId, exit_code: exitCode, signal };
    return this.#call.update({ _meta: { terminal_exit } });
  }
}

/** A terminal of the agent for other clients of version 1: a text in the content of the tool call. */
export class TextTerminal implements OwnTerminal {
  readonly terminalId: string;
  readonly #call: ToolCallHandle;
  readonly #command: string;
  readonly #decoder = new TextDecoder();
  #shown: ToolCallContent | undefined;
  #output = "";
  #exit: Exit | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(call: ToolCallHandle, { command = "" }: OwnTerminalInit, terminalId: string) {
    this.#call = call;
    this.#command = command;
    this.terminalId = terminalId;
    void this.#show();
  }

  write(output: string | Uint8Array): Promise<void> | undefined {
    if (this.#exit !== undefined) return undefined;
    this.#output += typeof output === "string" ? output : this.#decoder.decode(output, { stream: true });
    this.#output = this.#output.slice(-maxTerminalOutput);
    this.#stopTimer ??= after(TEXT_INTERVAL_MS, () => void this.#show());
    return undefined;
  }

  exit(status: Exit = {}): Promise<void> | undefined {
    if (this.#exit !== undefined) return undefined;
    this.#exit = status;
    return this.#show();
  }

  #show(): Promise<void> | undefined {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#call.ended) return undefined; // the agent has ended the call before the terminal
    const exit = this.#exit === undefined ? "" : exitText(this.#exit);
    const text = terminalText({ command: this.#command, output: this.#output, exit });
    const shown: ToolCallContent = { type: "content", content: { type: "text", text } };
    const { content } = this.#call;
    const before = this.#shown;
    this.#shown = shown;
    const isShown = before !== undefined && content.includes(before);
    return this.#call.update({
      content: isShown ? content.map((item) => (item === before ? shown : item)) : [...content, shown],
    });
  }
}
