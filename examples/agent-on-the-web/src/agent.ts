// #region agent
import { type Agent, createAgent } from "@acp-kit/agent";
import type { Principal } from "@acp-kit/http";

/** The agent of one user. Its sessions belong to this user, because a session id is no credential. */
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
