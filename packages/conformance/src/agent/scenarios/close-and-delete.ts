import { isSuccess } from "../../response-matchers.js";
import { isObject, member, objectsIn, shown } from "../../wire/values.js";
import type { AgentContext } from "../agent-context.js";
import type { RecordedResponse, SentRequest } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { needsCapability, offers } from "../capability-needs.js";
import { checkWait, stopTurn, waitingTurn } from "../lasting-turn.js";

/** Scenarios about `session/close` and `session/delete`. */
export const closeAndDeleteScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "session/close",
    title: "session/close returns an object and deactivates the session",
    verifies: ["SESS-28", "SESS-30", "SESS-31"],
    needs: ["agentCapabilities.sessionCapabilities.close"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      const closed = await session.peer.request("session/close", { sessionId: session.id });
      if (!isObject(closed.result)) {
        context.fail("SESS-28", { sent: "session/close", received: closed });
      }
      const turn = context.prompt(session, context.options.prompts.text ?? "hello");
      const response = await context.endOf(session, turn);
      if (response.error) return;
      context.fail("SESS-30", {
        sent: "a prompt in a session that was closed",
        received: response,
        explanation:
          "A closed session is not active on the connection: a prompt gets an error until the session is loaded or resumed.",
        where: session.peer.at(closed.seq, turn.prompt.seq, response.seq),
      });
    },
  }),
  agentScenario({
    id: "session/close-running",
    title: "Closing a session cancels its turn first",
    verifies: ["SESS-27"],
    basis: "cancel/running-turn",
    needs: ["agentCapabilities.sessionCapabilities.close", "prompt: permission, form, read or terminal"],
    async run(context: AgentContext) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      const idle = await context.newSession(session.peer);
      const control = await session.peer.request("session/close", { sessionId: idle.id });
      if (control.error) context.inconclusive("session/close fails without a running turn, too");
      // A turn that doesn't wait for the client may end by itself before the agent reads session/close.
      const turn = await waitingTurn(context, session);
      if (!turn) context.skip("in no turn did the agent wait for the client: --prompt permission=…");
      const close = (): SentRequest => session.peer.sendRequest("session/close", { sessionId: session.id });
      const stopped = await stopTurn(context, session, turn, close, "SESS-27");
      const { response, sent, isCancelled } = stopped;
      const closed = await session.peer.responseTo(sent, context.options.turnMs);
      if (isCancelled) return;
      await checkWait(context, await context.newSession(session.peer), turn, stopped);
      context.fail("SESS-27", {
        sent: `session/close while a turn was waiting for the response to ${turn.request.method}`,
        received: response.error
          ? `the prompt's error ${shown(response.error)}`
          : `the prompt's result ${shown(response.result)}`,
        where: session.peer.at(turn.prompt.seq, turn.request.seq, closed.seq, response.seq),
      });
    },
  }),
  agentScenario({
    id: "session/delete",
    title: "A deleted session is not in the list, and deleting it again succeeds",
    verifies: ["DEL-02", "DEL-03", "DEL-04"],
    needs: ["agentCapabilities.sessionCapabilities.delete"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "delete");
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
        context.expect("DEL-04", again, isSuccess, { sent: "session/delete of a session that does not exist" });
      }
    },
  }),
];
