import { member, shown } from "../../wire/values.js";
import type { AgentContext, OpenTurn, TestSession } from "../agent-context.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { lastingTurn, longTurn, ofTheTurn, type StoppedTurn, stopTurn } from "../lasting-turn.js";

const cancelOf = (session: TestSession) => () => session.peer.notify("session/cancel", { sessionId: session.id });

/** Cancels a running turn, and checks how it ends. */
async function cancel(context: AgentContext, session: TestSession, turn: OpenTurn): Promise<void> {
  checkEnd(context, session, turn, await stopTurn(context, session, turn, cancelOf(session), "CANCEL-06"));
  await checkSilence(context, session, turn);
}

/**
 * Cancels a turn that has shown that it lasts. Another end than cancelled may have been on its way when the cancel was sent, so that a second
 * turn is cancelled much sooner than the first one lasted.
 */
async function cancelLasting(context: AgentContext, session: TestSession): Promise<void> {
  const turn = await lastingTurn(context, session);
  const first = await stopTurn(context, session, turn, cancelOf(session), "CANCEL-06");
  if (first.isCancelled || first.answer.error) {
    checkEnd(context, session, turn, first);
    return checkSilence(context, session, turn);
  }
  const again = await longTurn(context, session);
  const second = await stopTurn(context, session, again, cancelOf(session), "CANCEL-06");
  if (!second.isCancelled && !second.isCaused) {
    context.inconclusive("the turn may have ended by itself before the agent read the cancel");
  }
  checkEnd(context, session, again, second);
  context.inconclusive("of two cancelled turns, only one ended with cancelled: the other may have ended by itself");
}

/** Checks the response to a cancelled prompt. */
function checkEnd(context: AgentContext, session: TestSession, turn: OpenTurn, { answer, seq }: StoppedTurn): void {
  const where = session.peer.at(turn.asked.seq, seq, answer.seq);
  if (answer.error) {
    context.fail({
      requirement: "CANCEL-07",
      sent: "session/cancel while the turn was running",
      received: `the error ${shown(answer.error)}`,
      explanation:
        "A cancelled turn is no failure: exceptions from aborted operations are caught, and the stop reason is cancelled.",
      where,
    });
  }
  const stopReason = member(answer.result, "stopReason");
  if (stopReason !== "cancelled") {
    context.fail({
      requirement: "CANCEL-06",
      sent: "session/cancel while the turn was running",
      received: `stopReason ${shown(stopReason)}`,
      explanation: "The response to a cancelled prompt has the stop reason cancelled.",
      where,
    });
  }
}

/** Checks that nothing of a cancelled turn comes after its end. */
async function checkSilence(context: AgentContext, session: TestSession, { asked }: OpenTurn): Promise<void> {
  const { answer } = asked;
  if (!answer) return;
  await session.peer.fence();
  await session.peer.quiet(context.options.quietMs);
  const late = context.updates(session, answer.seq).find(({ update }) => ofTheTurn.has(String(update.sessionUpdate)));
  if (!late) return;
  context.fail({
    requirement: "CANCEL-08",
    sent: "session/cancel while the turn was running",
    received: `${shown(late.update)} after the answer`,
    explanation: "Late updates may follow the cancellation, but all of them come before the response to the prompt.",
    where: session.peer.at(answer.seq, late.seq),
  });
}

/** `session/cancel` and `$/cancel_request`. */
export const cancellationScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "cancel/running-turn",
    title: "A cancelled turn ends with cancelled, after its last update, and the session stays usable",
    verifies: ["CANCEL-06", "CANCEL-07", "CANCEL-08", "CANCEL-12"],
    needs: ["prompt: long", "prompt: text"],
    async run(context) {
      const session = await context.openSession();
      await context.turn(session, context.text("text"));
      await cancelLasting(context, session);
      const next = context.prompt(session, context.text("text"));
      const answer = await session.peer.answerTo(next.asked, context.options.turnMs, "CANCEL-12");
      if (!answer.error && member(answer.result, "stopReason") !== "cancelled") return;
      context.fail({
        requirement: "CANCEL-12",
        sent: "a prompt after a cancelled turn",
        received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
        explanation: "A session stays usable after a cancelled turn.",
        where: session.peer.at(next.asked.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "cancel/at-once",
    title: "A cancel right behind its prompt is safe",
    verifies: ["CANCEL-07", "CANCEL-13"],
    needs: ["prompt: long"],
    basis: "cancel/running-turn",
    async run(context) {
      const session = await context.openSession();
      const control = await longTurn(context, session);
      session.peer.notify("session/cancel", { sessionId: session.id });
      const ended = await session.peer.answerTo(control.asked);
      if (ended.error) context.inconclusive("a cancel in the middle of a turn is an error, too: cancel/running-turn");
      const turn = context.prompt(session, context.text("long"));
      session.peer.notify("session/cancel", { sessionId: session.id });
      await session.peer.quiet(context.options.quietMs);
      if (!session.peer.incoming.some(({ kind, message }) => kind === "response" && message.id === turn.asked.id)) {
        // The agent may not have started when the first one arrived: the turn only has to be cancellable.
        session.peer.notify("session/cancel", { sessionId: session.id });
      }
      const answer = await session.peer.answerTo(turn.asked, context.options.turnMs, "CANCEL-13");
      if (!answer.error) return;
      context.fail({
        requirement: "CANCEL-07",
        sent: "session/prompt and session/cancel, one right behind the other",
        received: `the error ${shown(answer.error)}`,
        explanation:
          "A prompt that is cancelled gets the stop reason cancelled, never an error, however early the cancel comes.",
        where: session.peer.at(turn.asked.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "cancel/while-asking",
    title: "A turn that is cancelled while the agent asks for permission ends with cancelled",
    verifies: ["CANCEL-06", "CANCEL-07", "CANCEL-08"],
    basis: "cancel/running-turn",
    needs: ["prompt: permission"],
    async run(context) {
      const session = await context.openSession({ permission: () => "hold" });
      const path = context.files.join(context.files.cwd, "permission.txt");
      await context.files.write(path, "before\n"); // some agents fail on a file that isn't there
      const turn = context.prompt(session, context.text("permission", { path }));
      const request = await context.requestIn(session, turn, "session/request_permission");
      if (!request) context.skip("the agent never asked for permission: --prompt permission=…");
      const cancelling = cancel(context, session, turn);
      for (const each of session.peer.incoming.filter(({ method }) => method === "session/request_permission")) {
        session.peer.respond(each, { result: { outcome: { outcome: "cancelled" } } });
      }
      await cancelling;
    },
  }),
  agentScenario({
    id: "cancel/idle-session",
    title: "Cancelling a session in which nothing runs does nothing, not even to the next prompt",
    verifies: ["CANCEL-11"],
    needs: ["prompt: text"],
    async run(context) {
      const session = await context.openSession();
      await context.turn(session, context.text("text"));
      const { seq } = session.peer.notify("session/cancel", { sessionId: session.id });
      await session.peer.fence();
      const turn = context.prompt(session, context.text("text"));
      const answer = await session.peer.answerTo(turn.asked, context.options.turnMs, "CANCEL-11");
      if (!answer.error && member(answer.result, "stopReason") !== "cancelled") return;
      context.fail({
        requirement: "CANCEL-11",
        sent: "session/cancel while nothing was running, and then a prompt",
        received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
        explanation: "A cancel without a running turn has no effect; in particular it doesn't cancel a later prompt.",
        where: session.peer.at(seq, turn.asked.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "cancel/one-of-two-sessions",
    title: "Cancelling one session leaves the turn of another alone",
    verifies: ["CANCEL-10"],
    needs: ["prompt: long"],
    async run(context) {
      const first = await context.openSession();
      const second = await context.newSession(first.peer);
      const running = await longTurn(context, first);
      const other = await longTurn(context, second);
      first.peer.notify("session/cancel", { sessionId: first.id });
      const answer = await context.endOf(first, running);
      await first.peer.quiet(context.options.quietMs);
      const ended = first.peer.incoming.find(
        ({ kind, message }) => kind === "response" && message.id === other.asked.id,
      );
      const cancelled =
        member(ended?.message, "result", "stopReason") === "cancelled" || ended?.message.error !== undefined;
      first.peer.notify("session/cancel", { sessionId: second.id });
      await context.endOf(second, other);
      if (!ended || !cancelled) return;
      context.fail({
        requirement: "CANCEL-10",
        sent: "session/cancel for one of two sessions with running turns",
        received: `an end of the other turn, too: ${shown(ended.message)}`,
        explanation: "Only the session that session/cancel names is cancelled; others continue.",
        where: first.peer.at(answer.seq, ended.seq),
      });
    },
  }),
  agentScenario({
    id: "cancel/request",
    title: "$/cancel_request for a prompt: the prompt still gets one response, of an allowed kind",
    verifies: ["CANCEL-18", "CANCEL-24"],
    needs: ["prompt: long"],
    async run(context) {
      const session = await context.openSession();
      const turn = await longTurn(context, session);
      const { seq } = session.peer.notify("$/cancel_request", { requestId: turn.asked.id });
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      session.peer.notify("session/cancel", { sessionId: session.id }); // support for it is optional
      const answer = await session.peer.answerTo(turn.asked, context.options.turnMs, "CANCEL-18");
      if (!answer.error || answer.error.code === -32800) return;
      context.fail({
        requirement: "CANCEL-24",
        sent: "$/cancel_request with the id of the running session/prompt",
        received: `the error ${shown(answer.error)}`,
        explanation: "The response to a prompt cancelled this way is the stop reason cancelled or the error -32800.",
        where: session.peer.at(turn.asked.seq, seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "cancel/request-of-another-type",
    title: '$/cancel_request with "5" doesn\'t cancel the request 5',
    verifies: ["CANCEL-21", "CANCEL-20"],
    needs: ["prompt: long"],
    async run(context) {
      const session = await context.openSession();
      const turn = await longTurn(context, session);
      const { seq } = session.peer.notify("$/cancel_request", { requestId: String(turn.asked.id) });
      session.peer.notify("$/cancel_request", { requestId: 999_999 });
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      const ended = session.peer.incoming.find(
        ({ kind, message }) => kind === "response" && message.id === turn.asked.id,
      );
      session.peer.notify("session/cancel", { sessionId: session.id });
      await context.endOf(session, turn);
      const cancelled =
        member(ended?.message, "result", "stopReason") === "cancelled" ||
        member(ended?.message, "error", "code") === -32800;
      if (!ended || !cancelled) return;
      context.fail({
        requirement: "CANCEL-21",
        sent: `$/cancel_request with ${shown(String(turn.asked.id))} and with 999999, while the request ${shown(turn.asked.id)} was open`,
        received: shown(ended.message),
        explanation:
          "Only a request whose id matches requestId in value and in type is cancelled; other ids are ignored.",
        where: session.peer.at(seq, ended.seq),
      });
    },
  }),
];
