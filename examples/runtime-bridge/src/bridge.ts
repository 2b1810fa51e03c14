import { type Agent, createAgent, sessionNotFound, type ToolCallHandle } from "@acp-kit/agent";
import type { Runtime } from "./runtime.js";

/** Creates an agent from a runtime: each event becomes one update, and an approval becomes a permission request. */
export function bridge(runtime: Runtime): Agent {
  return createAgent({
    info: { name: "runtime-bridge", version: "1.0.0" },
    newSession: ({ cwd }) => ({ sessionId: runtime.create(cwd).id }),
    resumeSession: ({ sessionId }) => {
      if (!runtime.store.has(sessionId)) throw sessionNotFound(sessionId);
    },
    listSessions: ({ cwd }) => ({
      sessions: [...runtime.store.values()]
        .filter(({ folder }) => cwd == null || folder === cwd)
        .map(({ id, folder }) => ({ sessionId: id, cwd: folder })),
    }),
    closeSession: ({ sessionId }) => runtime.cancel(sessionId),
    async prompt(turn) {
      const { sessionId } = turn;
      const calls = new Map<string, ToolCallHandle>();
      turn.signal.addEventListener("abort", () => runtime.cancel(sessionId));
      await runtime.run(sessionId, turn.text, async (event) => {
        if (event.type === "text") await turn.message(event.delta);
        else if (event.type === "approval") {
          const decision = await calls.get(event.action)?.requestPermission();
          event.answer(decision?.allowed === true);
        } else if (event.state === "started") {
          calls.set(event.id, turn.toolCall({ title: event.title, kind: "execute" }));
        } else await calls.get(event.id)?.complete();
      });
    },
  });
}
