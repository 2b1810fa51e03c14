import { serverFolder } from "@acp-kit/client";
import type { SessionInfo } from "@acp-kit/types";
import { columns } from "../../text-columns.js";
import { type Conversation, sessionOf } from "../conversation.js";
import { cleanLine } from "../text/clean.js";
import { truncate } from "../text/layout.js";
import { currentValue, tokens } from "../view/status-line.js";
import type { ChatCommand } from "./chat-command.js";

/** Maximum number of listed sessions. */
const maxListed = 30;

/** The sessions that the agent listed last in each conversation, so that `/load 2` can load the second. */
const listed = new WeakMap<object, readonly SessionInfo[]>();

export const sessionInfo: ChatCommand = {
  name: "session",
  summary: "show the current session and its token usage",
  run(chat) {
    const session = sessionOf(chat);
    const { title, usage, turns } = session.transcript.snapshot;
    const { paint, ui, agent } = chat;
    const { info } = agent;
    const { context, total, cost } = usage;
    const facts = [
      ["session", `${cleanLine(session.sessionId)} ${paint.dim(`(${session.origin})`)}`],
      ["title", title && cleanLine(title)],
      ["folder", session.roots.join(", ")],
      ["agent", info && cleanLine(`${info.title ?? info.name} ${info.version ?? ""}`)],
      ["turns", String(turns.length)],
      ["context", context && `${tokens(context.used)} of ${tokens(context.size)} tokens`],
      ["tokens", total && `${tokens(total.inputTokens)} in, ${tokens(total.outputTokens)} out`],
      ["cost", cost && `${cost.amount} ${cleanLine(cost.currency)}`],
      ...[...session.options].map((option) => [option.id, currentValue(option)]),
    ];
    const rows = facts.flatMap(([name = "", value]) => (value ? [[`  ${paint.dim(name)}`, value]] : []));
    ui.print("", ...columns(rows));
  },
};

export const sessions: ChatCommand = {
  name: "sessions",
  hint: "[all]",
  summary: "list the agent's sessions in this folder, or in all folders",
  async run(chat, words) {
    const { paint, ui, session } = chat;
    const found = await list(chat, words === "all" ? undefined : listedFolder(chat));
    const rows = found.map(({ sessionId, title, updatedAt }, index) => [
      `${sessionId === session?.sessionId ? paint.green("●") : " "} ${paint.cyan(String(index + 1))}`,
      cleanLine(title ?? "") || paint.dim("(no title)"),
      paint.dim(`${updatedAt ? when(updatedAt) : ""} ${cleanLine(sessionId)}`.trim()),
    ]);
    if (rows.length === 0) ui.print(paint.dim("The agent has no saved sessions."));
    else
      ui.print(
        "",
        ...columns(rows).map((line) => truncate(`  ${line}`, ui.canvas.columns)),
        paint.dim("  /load with the number of a session continues it."),
      );
  },
};

export const load: ChatCommand = {
  name: "load",
  hint: "<id or number>",
  summary: "continue a previous session",
  async run(chat, words) {
    if (words === "")
      throw new Error(
        "Which session? /sessions lists the sessions; /load takes a number of that list, or a session id.",
      );
    const { agent, setup } = chat;
    const sessionId = (await byNumber(chat, words))?.sessionId ?? words;
    if (chat.session?.sessionId === sessionId && !chat.isLost) throw new Error("This session is already open.");
    // The command loads the session if possible, and resumes it otherwise, because the user wants to see the history.
    const saved = { ...setup, sessionId };
    if (agent.session(sessionId) !== undefined) await chat.open(() => agent.openSession(saved));
    else if (agent.offers("agentCapabilities.loadSession")) await chat.open(() => agent.loadSession(saved));
    else await chat.open(() => agent.resumeSession(saved));
  },
  complete: (chat, words) =>
    words.length > 0
      ? []
      : (listed.get(chat) ?? []).map(({ sessionId, title }) => ({ text: sessionId, hint: cleanLine(title ?? "") })),
};

export const newSession: ChatCommand = {
  name: "new",
  summary: "start a new session",
  run: (chat) => chat.open(() => chat.agent.newSession(chat.setup)),
};

/** Returns the folder whose sessions are listed; `undefined` for all, because a server chooses its folder. */
function listedFolder({ setup }: Conversation): string | undefined {
  return setup.cwd === serverFolder ? undefined : setup.cwd;
}

async function list(chat: Conversation, cwd: string | undefined): Promise<readonly SessionInfo[]> {
  const found: SessionInfo[] = [];
  for await (const info of chat.agent.listSessions(cwd === undefined ? {} : { cwd })) {
    found.push(info);
    if (found.length === maxListed) break;
  }
  listed.set(chat, found);
  return found;
}

async function byNumber(chat: Conversation, words: string): Promise<SessionInfo | undefined> {
  if (!/^\d{1,2}$/.test(words)) return undefined;
  const known = listed.get(chat) ?? (await list(chat, listedFolder(chat)).catch(() => []));
  return known[Number(words) - 1];
}

function when(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 16).replace("T", " ");
}
