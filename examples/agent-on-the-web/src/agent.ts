// #region agent
import { type Agent, createAgent } from "@acp-kit/agent";
import type { Principal } from "@acp-kit/http";

/**
 * The agent of one user. It serves only this user's sessions: a person who knows another user's session id can't open
 * that session.
 */
export function agentOf(user: Principal): Agent {
  return createAgent({
    info: { name: "web-agent", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      await turn.message(`Hello ${user.user}. `);
      const writing = turn.toolCall({ title: "Write the answer", kind: "other" });
      const { allowed } = await writing.requestPermission();
      await turn.message(allowed ? `You said: ${turn.text}` : "You did not allow an answer.");
      await (allowed ? writing.complete() : writing.fail("not allowed"));
    },
  });
}
// #endregion agent
