import { cleanLine } from "../text/clean.js";
import { indent, widthOf } from "../text/layout.js";
import { maxItems, moreOf } from "../text/limits.js";
import type { ChatCommand } from "./chat-command.js";

/** `/help`: lists all commands, including the agent's, and the keys. */
export function helpCommand(all: () => readonly ChatCommand[]): ChatCommand {
  return {
    name: "help",
    summary: "list the commands and the keys",
    run({ ui, paint, session }) {
      const own = all().map(({ name, hint = "", summary }) => [
        `  ${paint.cyan(`/${name}`)} ${paint.dim(hint)}`,
        summary,
      ]);
      const agentCommands = session?.transcript.snapshot.commands ?? [];
      const missing = agentCommands.length - maxItems.list;
      const taken = new Set(all().map(({ name }) => name));
      const theirs = agentCommands.slice(0, maxItems.list).map(({ name, description, input }) => {
        const slash = taken.has(name) ? "//" : "/";
        const hint = input != null && "hint" in input ? cleanLine(String(input.hint)) : "";
        return [`  ${paint.cyan(slash + cleanLine(name))} ${paint.dim(hint)}`, cleanLine(description)];
      });
      const { columns } = ui.canvas;
      const rows = [
        ...inTwoColumns(own, columns),
        ...(theirs.length > 0 ? ["", paint.bold("Of the agent"), ...inTwoColumns(theirs, columns)] : []),
        ...(missing > 0 ? [paint.dim(`  ${moreOf(missing, "command")}`)] : []),
      ];
      ui.print("", paint.bold("Commands"), ...rows, "", ...(ui.isInteractive ? keys : []));
    },
  };
}

/** Formats rows of two cells. The second cells of all rows start in the same column and wrap within it. */
function inTwoColumns(rows: readonly (readonly string[])[], columns: number): string[] {
  const names = rows.map(([name = ""]) => widthOf(name));
  const width = Math.min(Math.max(0, ...names), Math.floor(columns / 2));
  return rows.flatMap(([name = "", text = ""], index) => {
    const room = width - (names[index] ?? 0);
    if (room >= 0) return indent(text, columns, `${name}${" ".repeat(room)}  `);
    return [name.trimEnd(), ...indent(text, columns, "    ")]; // a wide first cell has its own line
  });
}

const keys = [
  "Enter sends the prompt. Backslash and Enter, Alt-Enter or Ctrl-J begin a new line; pasted lines stay together.",
  "@path attaches a file, Tab completes commands and paths, the arrow keys go through previous prompts.",
  "Esc or Ctrl-C cancels the turn, Ctrl-C twice quits the chat.",
  "//name sends a command to the agent if the chat has one of the same name.",
];
