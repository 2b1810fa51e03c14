import { type Agent, createAgent } from "@acp-kit/agent";

/** Hooks of an {@link echoAgent} for the test. */
export interface EchoAgentOptions {
  /** Called for each prompt, instead of the echo. */
  readonly prompt?: Parameters<typeof createAgent>[0]["prompt"];
  /** The updates that `session/load` replays. */
  readonly history?: readonly string[];
}

/** An agent that echoes prompts, requests a permission if the prompt demands it, and loads any session. */
export function echoAgent({ prompt, history = ["one", "two"] }: EchoAgentOptions = {}): Agent {
  let sessions = 0;
  return createAgent({
    info: { name: "echo", version: "1.0.0" },
    newSession: () => {
      sessions += 1;
      return { sessionId: `s${sessions}` };
    },
    loadSession: async ({ sessionId }, { connection }) => {
      if (sessionId === "missing") throw new Error("no such session");
      for (const text of history) {
        await connection.session(sessionId).update({
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text },
        });
      }
      return {};
    },
    resumeSession: () => ({}),
    closeSession: () => ({}),
    deleteSession: () => ({}),
    listSessions: () => ({ sessions: [] }),
    prompt:
      prompt ??
      (async (turn) => {
        if (turn.text === "permit") {
          const call = await turn.toolCall({ title: "Write a file" });
          const { allowed } = await turn.permit(call);
          await turn.message(`allowed: ${allowed}`);
          return;
        }
        await turn.message(turn.text);
      }),
  });
}
