// #region agent
import { type AgentDefinition, createAgent, type Turn } from "@acp-kit/agent";
import { type RestoredSession, withSessions } from "@acp-kit/sessions";
import { sqliteStore } from "@acp-kit/sessions/node";

/** The model's state for each session. */
const conversations = new Map<string, string[]>();

const definition: AgentDefinition = {
  info: { name: "remembering-agent", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn: Turn) => {
    const said = conversations.get(turn.sessionId) ?? [];
    conversations.set(turn.sessionId, [...said, turn.text]);
    await turn.message(`You have said ${said.length + 1} things.`);
  },
};

/** Called when a session is loaded or resumed, in any process. */
function restore({ sessionId, history }: RestoredSession): void {
  const prompts = history.flatMap(({ entry }) => (entry.type === "prompt" ? entry.prompt : []));
  conversations.set(
    sessionId,
    prompts.map((block) => (block.type === "text" ? block.text : block.type)),
  );
}

export function rememberingAgent(path: string) {
  return createAgent(withSessions(definition, sqliteStore({ path }), { restore }));
}
// #endregion agent
