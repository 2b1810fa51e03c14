import { resolve } from "node:path";
import { readRecording, TraceWriter } from "@acp-kit/testing/recording";
import type { ChatCommand } from "./chat-command.js";

/** The default number of messages that `/trace` shows. */
const shown = 20;

export const trace: ChatCommand = {
  name: "trace",
  hint: "[number|on|off|save FILE]",
  summary: "show the last messages of the protocol, show each new message, or save all messages",
  run({ ui, paint, tape, cwd }, words) {
    const [word = "", ...rest] = words.split(/\s+/);
    const { columns } = ui.canvas;
    const writer = new TraceWriter({ paint, ...(Number.isFinite(columns) && { columns }) });
    if (word === "on" || word === "off") {
      tape.follow(word === "off" ? undefined : (entry) => ui.print(...linesOf(writer.write(entry))));
      ui.print(
        paint.dim(
          word === "on"
            ? "The chat now shows every protocol message; /trace off ends this."
            : "The chat no longer shows protocol messages.",
        ),
      );
    } else if (word === "save") {
      const path = resolve(cwd, rest.join(" "));
      if (rest.length === 0) throw new Error("/trace save needs the name of a file: /trace save FILE");
      tape.save(path);
      ui.print(`${paint.green("✓")} Saved the messages to ${path}. Show them with: acp-kit trace ${path}`);
    } else {
      const count = word === "" ? shown : Number(word);
      if (!(count > 0)) throw new Error(`/trace accepts the number of lines to show, "on", "off", or "save FILE".`);
      const lines = readRecording(tape.text()).entries.flatMap((entry) => linesOf(writer.write(entry)));
      ui.print("", ...lines.slice(-count));
    }
  },
  complete: (_chat, words) => (words.length > 0 ? [] : [{ text: "on" }, { text: "off" }, { text: "save" }]),
};

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
