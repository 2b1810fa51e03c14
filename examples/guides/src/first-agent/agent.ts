// #region agent
import { type Agent, createAgent, diff, sessionNotFound, type Turn } from "@acp-kit/agent";
import type { StopReason } from "@acp-kit/types";

/** The state of a session. */
interface Memory {
  readonly cwd: string;
  readonly history: { readonly who: "user" | "agent"; readonly text: string }[];
}

const memories = new Map<string, Memory>();

export const agent: Agent = createAgent({
  info: { name: "typo-fixer", title: "Typo Fixer", version: "1.0.0" },

  newSession({ cwd }) {
    const sessionId = crypto.randomUUID();
    memories.set(sessionId, { cwd, history: [] });
    return { sessionId };
  },

  prompt: (turn) => fixTypos(turn, memoryOf(turn.sessionId)),

  async loadSession({ sessionId }, context) {
    const session = context.session(sessionId);
    for (const { who, text } of memoryOf(sessionId).history) {
      await (who === "user" ? session.userMessage(text) : session.message(text));
    }
  },
});
// #endregion agent

// #region errors
function memoryOf(sessionId: string): Memory {
  const memory = memories.get(sessionId);
  if (memory === undefined) throw sessionNotFound(sessionId); // the client gets -32002, with the id
  return memory;
}
// #endregion errors

// #region turn
async function fixTypos(turn: Turn, { cwd, history }: Memory): Promise<StopReason> {
  history.push({ who: "user", text: turn.text });
  const reply = async (text: string): Promise<void> => {
    history.push({ who: "agent", text });
    await turn.message(text);
  };

  if (turn.client.capabilities.fs?.readTextFile !== true) {
    await reply("I can only work on files that your editor lets me read.");
    return "end_turn";
  }
  // #endregion turn
  // #region plan
  await turn.plan([
    { content: "Find the typos", priority: "high", status: "in_progress" },
    { content: "Fix them", priority: "high", status: "pending" },
  ]);
  const path = `${cwd}/${turn.text}`;
  const { content: oldText } = await turn.client.readTextFile({ path });
  const newText = oldText.replaceAll("teh", "the");
  // #endregion plan
  // #region edit
  const edit = turn.toolCall({
    kind: "edit",
    title: `Fix the typos in ${turn.text}`,
    locations: [{ path }],
    content: [diff({ path, oldText, newText })],
  });
  const decision = await edit.requestPermission();
  if (!decision.allowed) {
    await edit.fail("You did not allow it");
    return "end_turn";
  }
  await edit.start();
  await turn.client.writeTextFile({ path, content: newText });
  await edit.complete();
  await turn.plan([
    { content: "Find the typos", priority: "high", status: "completed" },
    { content: "Fix them", priority: "high", status: "completed" },
  ]);
  // #endregion edit
  // #region run
  if (turn.client.capabilities.terminal === true) {
    const test = turn.toolCall({ kind: "execute", title: "npm test" });
    await using terminal = await test.terminal({ command: "npm", args: ["test"], cwd });
    await test.start();
    const { exitCode } = await terminal.waitForExit();
    await (exitCode === 0 ? test.complete() : test.fail(`It ended with exit code ${exitCode}`));
  }
  await reply("Done.");
  return "end_turn";
}
// #endregion run
