import { shorten } from "@acp-kit/protocol/internal";
import type { TerminalExitStatus } from "@acp-kit/types/v2";
import { plainText } from "./plain-text.js";

/** The length of the output of a terminal that is shown as text, in UTF-16 units: the end of the output. */
export const maxTerminalOutput = 64_000;
/** The length of a command or signal that is shown, in UTF-16 units. */
export const maxTerminalCommand = 8_000;

/** A terminal that is shown as text. Absent parts are empty. */
interface ShownTerminal {
  readonly command: string;
  readonly output: string;
  /** How the command ended. */
  readonly exit: string;
}

/** Returns a terminal as text: its command, its output without control characters, and its exit. */
export function terminalText({ command, output, exit }: ShownTerminal): string {
  const parts = [
    ...(command === "" ? [] : [`$ ${command}`]),
    ...(output === "" ? [] : [plainText(output)]),
    ...(exit === "" ? [] : [exit]),
  ];
  return parts.join("\n");
}

/** Returns the text that says how a command ended. */
export function exitText({ exitCode, signal }: TerminalExitStatus): string {
  if (signal) return `[ended by ${shorten(signal, maxTerminalCommand)}]`;
  return typeof exitCode === "number" ? `[exit code ${exitCode}]` : "[exited]";
}
