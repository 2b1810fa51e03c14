import { usageFailure } from "../command-failure.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { LogLevel } from "../log.js";
import { Chat } from "./chat.js";
import { chatLog } from "./chat-log.js";
import type { ChatRequest } from "./chat-request.js";
import { History } from "./input/history.js";
import { openHistory } from "./input/history-file.js";
import { openSessionMemory } from "./session-memory.js";
import type { ChatUi } from "./ui/chat-ui.js";
import { LineUi } from "./ui/line-ui.js";
import { TerminalUi } from "./ui/terminal-ui.js";

/** The command line's options. `continueLast` continues the last session of this agent in this folder. */
export interface ChatWords extends ChatRequest {
  readonly continueLast: boolean;
}

/** Runs a conversation in the terminal, or over pipes if a standard stream is one. Resolves with the exit code. */
export async function runChat({ continueLast, ...words }: ChatWords, host: Host, level: LogLevel): Promise<ExitCode> {
  const sessions = openSessionMemory(host);
  const last = continueLast ? sessions.last(words.agent, words.cwd) : undefined;
  if (continueLast && last === undefined) {
    throw usageFailure(
      `--continue: no session of this agent in ${words.cwd} is known. Start the chat without --continue; /sessions lists the agent's sessions.`,
    );
  }
  const request: ChatRequest = { ...words, sessionId: last ?? words.sessionId };
  const history = openHistory(host);
  const isTerminal = host.stdin.isTTY === true && host.stdout.isTerminal && host.env.TERM !== "dumb";
  const ui: ChatUi = isTerminal ? new TerminalUi(host, new History(history.entries)) : new LineUi(host);
  const chat = new Chat(request, { host, ui, log: chatLog(ui, host, level), history, sessions });
  // In raw mode, Ctrl-C is a key and causes no signal. Signals come from other programs, or from Ctrl-C if standard
  // input is a pipe.
  using interrupts = listenForInterrupts(host, {
    onStop: () => (chat.cancel() && !isTerminal ? undefined : chat.leave()),
  });
  interrupts.leave.addEventListener("abort", () => chat.kill(), { once: true });
  return await chat.run();
}
