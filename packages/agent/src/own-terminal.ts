import type { Sent } from "./sent.js";

/** The command that an {@link OwnTerminal} shows. */
export interface OwnTerminalInit {
  /** The id of the terminal, unique in its session. By default, the terminal gets a new id. */
  readonly terminalId?: string;
  readonly command?: string;
  /** The working directory of the command, as an absolute path. */
  readonly cwd?: string;
  /** The size of the terminal in characters. Version 1 of the protocol does not have it. */
  readonly size?: { readonly cols: number; readonly rows: number };
}

/**
 * A terminal that shows a command which the agent runs itself, in contrast to `TerminalHandle`. The client shows its
 * output and its exit.
 *
 * On a connection of version 1, clients that advertise `_meta.terminal_output` get the output in the `_meta` of the
 * tool call, as Zed expects it. Other clients get it as text in the tool call's content: at most the last 64,000
 * characters, and four times per second.
 *
 * @see https://agentclientprotocol.com/protocol/v2/terminals
 */
export interface OwnTerminal {
  readonly terminalId: string;
  /** Appends output. Bytes may end in the middle of a character. */
  write(output: string | Uint8Array): Sent;
  /** Reports that the command has ended. The terminal ignores later output. */
  exit(status?: { readonly exitCode?: number | null; readonly signal?: string | null }): Sent;
}
