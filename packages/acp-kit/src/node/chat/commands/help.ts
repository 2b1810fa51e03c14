import { columns } from "../../text-columns.js";
import { cleanLine } from "../text/clean.js";
import { truncate } from "../text/layout.js";
import type { ChatCommand } from "./chat-command.js";

/** `/help`: all commands, those of the agent too, and the keys. */
export function helpCommand(all: () => readonly ChatCommand[]): ChatCommand {
  return {
    name: "help",
    summary: "list the commands and the keys",
    run({ ui, paint, session }) {
      const own = all().map(({ name, hint = "", summary }) => [
        `  ${paint.cyan(`/${name}`)} ${paint.dim(hint)}`,
        summary,
      ]);
      const taken = new Set(all().map(({ name }) => name));
      const theirs = (session?.transcript.snapshot.commands ?? []).map(({ name, description, input }) => {
        const slash = taken.has(name) ? "//" : "/";
        const hint = input != null && "hint" in input ? cleanLine(String(input.hint)) : "";
        return [`  ${paint.cyan(slash + cleanLine(name))} ${paint.dim(hint)}`, cleanLine(description)];
      });
      const rows = [
        ...columns(own),
        ...(theirs.length > 0 ? ["", paint.bold("Of the agent"), ...columns(theirs)] : []),
      ];
      const lines = ["", paint.bold("Commands"), ...rows, "", ...(ui.isInteractive ? keys.map((line) => line) : [])];
      ui.print(...lines.map((line) => truncate(line, ui.canvas.columns)));
    },
  };
}

const keys = [
  "Enter sends. A backslash before it, Alt-Enter or Ctrl-J begin a new line; pasted lines stay together.",
  "@path attaches a file, Tab completes commands and paths, the arrow keys go through what was written before.",
  "Ctrl-C cancels the turn, twice leaves. //name sends a command to the agent that has the name of one of ours.",
];
