import { isObject, member, objectsIn, shown } from "../../wire/values.js";
import type { Answer, Asked } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { needsCapability, offers } from "../capability-needs.js";
import { lastingTurn, longTurn, stopTurn } from "../lasting-turn.js";

/** Scenarios about `session/close` and `session/delete`. */
export const closeAndDeleteScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "session/close",
    title: "The result of closing a session is an object, and the session is no longer active",
    verifies: ["SESS-28", "SESS-30", "SESS-31"],
    needs: ["agentCapabilities.sessionCapabilities.close"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      const closed = await session.peer.request("session/close", { sessionId: session.id });
      if (!isObject(closed.result)) {
        context.fail({
          requirement: "SESS-28",
          sent: "session/close",
          received: closed.error ? `the error ${shown(closed.error)}` : `the result ${shown(closed.result)}`,
          explanation: "The result of session/close is an object, {} at least.",
          where: session.peer.at(closed.seq),
        });
      }
      const turn = context.prompt(session, context.options.prompts.text ?? "hello");
      const answer = await context.endOf(session, turn);
      if (answer.error) return;
      context.fail({
        requirement: "SESS-30",
        sent: "a prompt in a session that was closed",
        received: `the result ${shown(answer.result)}`,
        explanation: "A closed session isn't active on the connection: it has to be loaded or resumed first.",
        where: session.peer.at(closed.seq, turn.asked.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "session/close-running",
    title: "Closing a session cancels its turn first",
    verifies: ["SESS-27"],
    basis: "cancel/running-turn",
    needs: ["agentCapabilities.sessionCapabilities.close", "prompt: long"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      // The control lasts; the turn to be closed is stopped much sooner, so that its end is that of the closing.
      const control = await lastingTurn(context, session);
      session.peer.notify("session/cancel", { sessionId: session.id });
      await session.peer.answerTo(control.asked, context.options.turnMs);
      const turn = await longTurn(context, session);
      let closing: Asked | undefined;
      const close = (): Asked => {
        closing = session.peer.ask("session/close", { sessionId: session.id });
        return closing;
      };
      const { answer, isCancelled, isCaused } = await stopTurn(context, session, turn, close, "SESS-27");
      const closed = closing && (await session.peer.answerTo(closing, context.options.turnMs));
      if (!closed || isCancelled) return;
      if (!isCaused) context.inconclusive("the turn may have ended by itself before the agent read session/close");
      context.fail({
        requirement: "SESS-27",
        sent: "session/close while a turn was running",
        received: answer.error
          ? `the prompt's error ${shown(answer.error)}`
          : `the prompt's result ${shown(answer.result)}`,
        explanation: "Closing cancels the running turn as session/cancel does: the prompt's stop reason is cancelled.",
        where: session.peer.at(turn.asked.seq, closed.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "session/delete",
    title: "A deleted session is gone from the list, and deleting it again succeeds",
    verifies: ["DEL-02", "DEL-03", "DEL-04"],
    needs: ["agentCapabilities.sessionCapabilities.delete"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "delete");
      const { text } = context.options.prompts;
      if (text !== undefined) await context.turn(session, text);
      const { peer } = session;
      const remove = (sessionId: string): Promise<Answer> => peer.request("session/delete", { sessionId });
      const deleted = await remove(session.id);
      if (!isObject(deleted.result)) {
        context.fail({
          requirement: "DEL-02",
          sent: "session/delete",
          received: deleted.error ? `the error ${shown(deleted.error)}` : `the result ${shown(deleted.result)}`,
          explanation: "The result is an object, {} at least.",
          where: peer.at(deleted.seq),
        });
      }
      if (offers(session, "sessionCapabilities", "list")) {
        const list = await peer.request("session/list", { cwd: context.files.cwd });
        if (objectsIn(member(list.result, "sessions")).some(({ sessionId }) => sessionId === session.id)) {
          context.note({
            requirement: "DEL-03",
            sent: "session/delete, then session/list",
            received: "a list with the deleted session",
            explanation: "A deleted session doesn't appear in session/list any more.",
            where: peer.at(deleted.seq, list.seq),
          });
        }
      }
      for (const sessionId of [session.id, "00000000-0000-4000-8000-000000000000"]) {
        const again = await remove(sessionId);
        if (!again.error) continue;
        context.note({
          requirement: "DEL-04",
          sent: "session/delete of a session that is gone, or never was",
          received: `the error ${shown(again.error)}`,
          explanation: "Deleting a missing session should succeed silently.",
          where: peer.at(again.seq),
        });
      }
    },
  }),
];
