import { shorten } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "../codec/loss.js";
import { present } from "../codec/objects.js";
import { BoundedMap } from "./bounded-map.js";
import { exitText, maxTerminalCommand, maxTerminalOutput, terminalText } from "./terminal-text.js";

const MAX_TERMINALS = 100;

interface Terminal {
  command: string;
  /** How the command ended. */
  exit: string;
  output: string;
  decoder: TextDecoder;
}

/**
 * The terminals that an agent of version 2 shows in one session. Version 1 has no such terminals: their output becomes
 * a text in the content of the tool call that shows them.
 *
 * @see https://agentclientprotocol.com/protocol/v2/terminals
 */
export class ShownTerminals {
  readonly #terminals: BoundedMap<string, Terminal>;
  readonly #lost: Lost;

  constructor(lost: Lost) {
    this.#lost = lost;
    this.#terminals = new BoundedMap(MAX_TERMINALS, () => lost("too_many_items"));
  }

  /** Applies an update. Absent members are unchanged, and `null` clears. `output` replaces all bytes. */
  update(update: v2.TerminalUpdate): void {
    const terminal = this.#terminal(update.terminalId);
    if (update.command !== undefined) terminal.command = shorten(update.command ?? "", maxTerminalCommand);
    if (update.exitStatus !== undefined) terminal.exit = update.exitStatus === null ? "" : exitText(update.exitStatus);
    if (update.output === undefined) return;
    terminal.output = "";
    terminal.decoder = new TextDecoder();
    if (update.output !== null) this.#append(terminal, update.output.data);
  }

  /** Appends output. Each chunk is base64 of its own, but can end in the middle of a character. */
  append({ terminalId, data }: v2.TerminalOutputChunk): void {
    this.#append(this.#terminal(terminalId), data);
  }

  /** The content of a tool call that shows the terminal. */
  contentOf({ terminalId, _meta }: v2.TerminalToolCallContent): v1.ToolCallContent[] {
    this.#lost("terminal");
    const terminal = this.#terminals.get(terminalId);
    const text = terminal === undefined ? "" : terminalText(terminal);
    return [{ type: "content", content: { type: "text", text }, ...present({ _meta }) }];
  }

  #terminal(terminalId: string): Terminal {
    let terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) {
      terminal = { command: "", exit: "", output: "", decoder: new TextDecoder() };
      this.#terminals.set(terminalId, terminal);
    }
    return terminal;
  }

  #append(terminal: Terminal, data: string): void {
    const bytes = bytesOf(data);
    if (bytes === undefined) {
      this.#lost("terminal_output");
      return;
    }
    terminal.output += terminal.decoder.decode(bytes, { stream: true });
    if (terminal.output.length <= maxTerminalOutput) return;
    this.#lost("terminal_output");
    terminal.output = terminal.output.slice(-maxTerminalOutput);
  }
}

/** Returns the bytes of a base64 text, or `undefined` for another text. */
export function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
