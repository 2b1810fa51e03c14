import { hideInText } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { createLog, type Log, type LogLevel, logLevels } from "../log.js";
import { cleanText } from "./text/clean.js";
import type { ChatUi } from "./ui/chat-ui.js";

/** Creates the log of a chat: lines within the conversation in a terminal, otherwise standard error. */
export function chatLog(ui: ChatUi, host: Host, level: LogLevel): Log {
  if (!ui.isInteractive) return createLog(host, level);
  const { paint } = ui.canvas;
  const at = (least: LogLevel, style: (text: string) => string, mark: string) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
    return (message: string) =>
      ui.print(
        ...cleanText(hideInText(message, host))
          .split("\n")
          .map((line) => style(`${mark}${line}`)),
      );
  };
  return {
    level,
    error: at("error", paint.red, "✗ "),
    warn: at("warn", paint.yellow, "⚠ "),
    info: at("info", (text) => text, ""),
    debug: at("debug", paint.dim, ""),
  };
}
