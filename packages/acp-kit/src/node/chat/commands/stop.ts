import type { Session } from "@acp-kit/client";
import { columns } from "../../text-columns.js";
import { type Conversation, sessionOf } from "../conversation.js";
import { cleanLine } from "../text/clean.js";
import { maxItems, moreOf } from "../text/limits.js";
import type { ChatCommand } from "./chat-command.js";

/** A tool call or a terminal of the agent that can be stopped alone. */
interface Stoppable {
  readonly id: string;
  readonly title: string;
  readonly isTerminal: boolean;
  /** Whether it continues independently of turns. */
  readonly isInBackground: boolean;
}

export const stop: ChatCommand = {
  name: "stop",
  hint: "[call or terminal]",
  summary: "stop one tool call or terminal of the agent, also in the background, or list them",
  async run(chat, words) {
    const session = sessionOf(chat);
    const { ui, paint } = chat;
    const all = stoppable(session);
    if (words === "") {
      if (all.length === 0)
        ui.print(paint.dim("The agent has no work that can be stopped alone. /cancel stops the turn."));
      else ui.print("", paint.bold("Work that /stop can end"), ...lines(chat, all));
      return;
    }
    const wanted = all.find(({ id }) => id === words);
    if (wanted === undefined) throw new Error(`"${words}" is no work that can be stopped alone; /stop lists it.`);
    if (wanted.isTerminal) await session.cancelTerminal(wanted.id);
    else await session.cancelToolCall(wanted.id);
    ui.print(`${paint.green("✓")} The agent stops ${paint.bold(cleanLine(wanted.title))}`);
  },
  complete: ({ session }, words) =>
    session === undefined || words.length > 0
      ? []
      : stoppable(session).map(({ id, title }) => ({ text: id, hint: cleanLine(title) })),
};

function stoppable(session: Session): readonly Stoppable[] {
  const { entries, terminals, background = [] } = session.transcript.snapshot;
  const listed = new Set(
    background.map((work) => ("terminalId" in work ? work.terminalId : (work as { toolCallId?: unknown }).toolCallId)),
  );
  const isInBackground = (id: string): boolean => listed.has(id);
  return [
    ...entries.flatMap((entry): Stoppable[] => {
      if (entry.type !== "tool_call" || !session.canCancel(entry.toolCallId)) return [];
      const { toolCallId: id, title } = entry;
      return [{ id, title, isTerminal: false, isInBackground: isInBackground(id) }];
    }),
    ...Object.values(terminals).flatMap(({ terminalId: id, command = id }): Stoppable[] =>
      session.canCancel(id, "terminal")
        ? [{ id, title: command, isTerminal: true, isInBackground: isInBackground(id) }]
        : [],
    ),
  ];
}

function lines({ paint }: Conversation, all: readonly Stoppable[]): string[] {
  const missing = all.length - maxItems.list;
  const rows = all
    .slice(0, maxItems.list)
    .map(({ id, title, isInBackground }) => [
      `  ${paint.cyan(cleanLine(id))}`,
      cleanLine(title),
      paint.dim(isInBackground ? "in the background" : ""),
    ]);
  return [...columns(rows), ...(missing > 0 ? [paint.dim(`  ${moreOf(missing, "item")}`)] : [])];
}
