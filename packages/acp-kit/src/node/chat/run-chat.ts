import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { LogLevel } from "../log.js";
import { Chat, type ChatRequest } from "./chat.js";
import { chatLog } from "./chat-log.js";
import { History } from "./input/history.js";
import { openHistory } from "./input/history-file.js";
import type { ChatUi } from "./ui/chat-ui.js";
import { LineUi } from "./ui/line-ui.js";
import { TerminalUi } from "./ui/terminal-ui.js";

/** Holds a conversation in the terminal, or over pipes where either end is one. Resolves with how the command ends. */
export async function runChat(request: ChatRequest, host: Host, level: LogLevel): Promise<ExitCode> {
  const history = openHistory(host.env);
  const isTerminal = host.stdin.isTTY === true && host.stdout.isTerminal && host.env.TERM !== "dumb";
  const ui: ChatUi = isTerminal ? new TerminalUi(host, new History(history.entries)) : new LineUi(host);
  const chat = new Chat(request, { host, ui, log: chatLog(ui, host, level), history });
  // In raw mode Ctrl-C is a key; signals come from elsewhere, or from a terminal whose input is piped.
  using interrupts = listenForInterrupts(host, {
    onStop: () => (chat.cancel() && !isTerminal ? undefined : chat.leave()),
  });
  interrupts.leave.addEventListener("abort", () => chat.kill(), { once: true });
  return await chat.run();
}
