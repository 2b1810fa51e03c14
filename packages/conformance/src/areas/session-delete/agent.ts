import type { RecordedResponse } from "../../agent/agent-messages.js";
import { type AgentCheck, sessionScenario } from "../../agent/agent-scenario.js";
import { offers } from "../../agent/capability-needs.js";
import { isSuccess } from "../../response-matchers.js";
import { isObject, member, objectsIn } from "../../wire/values.js";

/** The checks of agents: session delete. */
export const sessionDeleteAgentChecks: readonly AgentCheck[] = [
  sessionScenario("session/delete", ["DEL-02", "DEL-03", "DEL-04"], {
    title: "A deleted session is not in the list, and deleting it again succeeds",
    needs: ["agentCapabilities.sessionCapabilities.delete"],
    async run(context, session) {
      const { text } = context.options.prompts;
      if (text !== undefined) await context.turn(session, text);
      const { peer } = session;
      const remove = (sessionId: string): Promise<RecordedResponse> => peer.request("session/delete", { sessionId });
      const deleted = await remove(session.id);
      if (!isObject(deleted.result)) {
        context.fail("DEL-02", { sent: "session/delete", received: deleted });
      }
      if (offers(session, "sessionCapabilities", "list")) {
        const list = await peer.request("session/list", { cwd: context.files.cwd });
        if (objectsIn(member(list.result, "sessions")).some(({ sessionId }) => sessionId === session.id)) {
          context.note("DEL-03", {
            sent: "session/delete, then session/list",
            received: "a list with the deleted session",
            where: peer.at(deleted.seq, list.seq),
          });
        }
      }
      for (const sessionId of [session.id, "00000000-0000-4000-8000-000000000000"]) {
        const again = await remove(sessionId);
        context.expect("DEL-04", again, isSuccess, "session/delete of a session that does not exist");
      }
    },
  }),
];
