import type { AgentContext, OpenTurn, TestSession } from "../../agent/agent-context.js";
import { type AgentCheck, agentScenario, agentWatch, sessionScenario } from "../../agent/agent-scenario.js";
import {
  cancelledTurns,
  checkWait,
  lastingTurn,
  longTurn,
  type StoppedTurn,
  stopTurn,
  type WaitingTurn,
  waitingTurn,
} from "../../agent/lasting-turn.js";
import { isStreamed, sessionOf, stopReasonOf, turnsIn, updatesIn } from "../../agent/session-history.js";
import type { DialogueEntry } from "../../dialogue.js";
import type { ResponseMatcher } from "../../finding.js";
import { isSuccess, isSuccessOr } from "../../response-matchers.js";
import { member, shown } from "../../wire/values.js";

const cancelOf = (session: TestSession) => (): DialogueEntry =>
  session.peer.notify("session/cancel", { sessionId: session.id });

const isUncancelled: ResponseMatcher = ({ error, result }) => !error && member(result, "stopReason") !== "cancelled";

/** The checks of agents: cancellation. */
export const cancellationAgentChecks: readonly AgentCheck[] = [
  sessionScenario("cancel/running-turn", ["CANCEL-06", "CANCEL-07", "CANCEL-08", "CANCEL-12"], {
    title: "A cancelled turn ends with cancelled, after its last update, and the session stays usable",
    needs: ["prompt: long", "prompt: text"],
    async run(context, session) {
      await context.turn(session, context.text("text"));
      await cancelLasting(context, session);
      const next = context.prompt(session, context.text("text"));
      const response = await session.peer.responseTo(next.prompt, context.options.turnTimeoutMs, "CANCEL-12");
      context.expect("CANCEL-12", response, isUncancelled, "a prompt after a cancelled turn");
    },
  }),
  sessionScenario("cancel/at-once", ["CANCEL-07", "CANCEL-13"], {
    title: "A turn can be cancelled directly after its prompt",
    needs: ["prompt: long"],
    basis: "cancel/running-turn",
    async run(context, session) {
      const control = await longTurn(context, session);
      session.peer.notify("session/cancel", { sessionId: session.id });
      const ended = await session.peer.responseTo(control.prompt);
      if (ended.error)
        context.inconclusive("a turn that is cancelled later ends with an error, too: cancel/running-turn");
      const turn = context.prompt(session, context.text("long"));
      session.peer.notify("session/cancel", { sessionId: session.id });
      await session.peer.quiet(context.options.quietMs);
      // The turn may not have started when the first cancel arrived; the agent has to accept a later one.
      if (!turn.prompt.response) session.peer.notify("session/cancel", { sessionId: session.id });
      const response = await session.peer.responseTo(turn.prompt, context.options.turnTimeoutMs, "CANCEL-13");
      context.expect("CANCEL-07", response, isSuccess, {
        sent: "session/prompt, directly followed by session/cancel",
        explanation:
          "A cancelled prompt gets the stop reason cancelled, never an error, even if the cancel directly follows the prompt.",
      });
    },
  }),
  sessionScenario("cancel/while-asking", ["CANCEL-06", "CANCEL-07", "CANCEL-08"], {
    title: "A turn that is cancelled during a permission request ends with cancelled",
    basis: "cancel/running-turn",
    needs: ["prompt: permission"],
    async run(context: AgentContext, session) {
      const turn = await waitingTurn(context, session, ["permission"]);
      if (!turn) context.skip("the agent never waited for a permission: --prompt permission=…");
      await cancelWaiting(context, session, turn);
    },
  }),
  sessionScenario("cancel/idle-session", ["CANCEL-11"], {
    title: "Cancelling a session without a running turn has no effect on the next prompt",
    needs: ["prompt: text"],
    async run(context, session) {
      await context.turn(session, context.text("text"));
      const { seq } = session.peer.notify("session/cancel", { sessionId: session.id });
      await session.peer.fence();
      const turn = context.prompt(session, context.text("text"));
      const response = await session.peer.responseTo(turn.prompt, context.options.turnTimeoutMs, "CANCEL-11");
      context.expect("CANCEL-11", response, isUncancelled, {
        sent: "session/cancel without a running turn, and then a prompt",
        where: session.peer.at(seq, turn.prompt.seq, response.seq),
      });
    },
  }),
  agentScenario("cancel/one-of-two-sessions", ["CANCEL-10"], {
    title: "Cancelling one session does not cancel the turn of another",
    needs: ["prompt: long"],
    async run(context) {
      const first = await context.openSession();
      const second = await context.newSession(first.peer);
      const running = await longTurn(context, first);
      const other = await longTurn(context, second);
      const { seq } = first.peer.notify("session/cancel", { sessionId: first.id });
      await context.responseOrControl(first, running.prompt, { requirement: "PROMPT-07" }, () =>
        cancelledTurns(context, ["long"]),
      );
      await first.peer.quiet(context.options.quietMs);
      await first.peer.fence();
      const ended = other.prompt.response;
      first.peer.notify("session/cancel", { sessionId: second.id });
      await context.endOf(second, other);
      // Any turn may end by itself at this moment, even with an error, but none ends by itself with cancelled.
      if (member(ended?.result, "stopReason") !== "cancelled" || !ended || ended.seq < seq) return;
      context.fail("CANCEL-10", {
        sent: "session/cancel for one of two sessions with running turns",
        received: `the end of the other turn as well: ${shown(ended.result)}`,
        where: first.peer.at(seq, ended.seq),
      });
    },
  }),
  sessionScenario("cancel/request", ["CANCEL-18", "CANCEL-24"], {
    title: "A prompt that $/cancel_request cancels still gets one response, of an allowed kind",
    needs: ["prompt: long"],
    async run(context, session) {
      const control = await longTurn(context, session);
      session.peer.notify("session/cancel", { sessionId: session.id });
      if ((await context.endOf(session, control)).error) {
        context.inconclusive("a turn that is cancelled by session/cancel ends with an error, too: cancel/running-turn");
      }
      const turn = await longTurn(context, session);
      const { seq } = session.peer.notify("$/cancel_request", { requestId: turn.prompt.id });
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      session.peer.notify("session/cancel", { sessionId: session.id }); // support for it is optional
      const response = await session.peer.responseTo(turn.prompt, context.options.turnTimeoutMs, "CANCEL-18");
      context.expect("CANCEL-24", response, isSuccessOr(-32800), {
        sent: "$/cancel_request with the id of the running session/prompt",
        where: session.peer.at(turn.prompt.seq, seq, response.seq),
      });
    },
  }),
  sessionScenario("cancel/request-of-another-type", ["CANCEL-21", "CANCEL-20"], {
    title: '$/cancel_request with "5" doesn\'t cancel the request 5',
    needs: ["prompt: long"],
    async run(context, session) {
      const turn = await longTurn(context, session);
      const { seq } = session.peer.notify("$/cancel_request", { requestId: String(turn.prompt.id) });
      session.peer.notify("$/cancel_request", { requestId: 999_999 });
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      const ended = session.peer.incoming.find(
        ({ kind, message }) => kind === "response" && message.id === turn.prompt.id,
      );
      session.peer.notify("session/cancel", { sessionId: session.id });
      await context.endOf(session, turn);
      const cancelled =
        member(ended?.message, "result", "stopReason") === "cancelled" ||
        member(ended?.message, "error", "code") === -32800;
      if (!ended || !cancelled) return;
      context.fail("CANCEL-21", {
        sent: `$/cancel_request with ${shown(String(turn.prompt.id))} and with 999999, while the request ${shown(turn.prompt.id)} was open`,
        received: shown(ended.message),
        where: session.peer.at(seq, ended.seq),
      });
    },
  }),
  agentWatch("watch/updates-before-cancelled", ["CANCEL-08"], {
    title: "All updates of a cancelled turn come before the response to its prompt",
    check(conversation, { countEntry, wrong }) {
      const updates = updatesIn(conversation).filter(isStreamed);
      for (const { prompt, response, until } of turnsIn(conversation)) {
        if (stopReasonOf(response) !== "cancelled") continue;
        countEntry();
        for (const { seq, sessionId, update } of updates) {
          if (seq < response.seq || seq > until || sessionId !== sessionOf(prompt)) continue;
          wrong("CANCEL-08", [response.seq, seq], `${shown(update)} after the response`);
        }
      }
    },
  }),
];

/** Cancels a turn that waits for the client, and checks how it ends. */
async function cancelWaiting(context: AgentContext, session: TestSession, turn: WaitingTurn): Promise<void> {
  const stopped = await stopTurn(context, session, turn, cancelOf(session), "CANCEL-06");
  if (!stopped.isCancelled) {
    await checkWait(context, session, turn, stopped);
    checkEnd(context, session, turn, stopped);
  }
  await checkSilence(context, session, turn);
}

/**
 * Cancels a turn that has lasted for a while. Such a turn may end by itself before the agent reads the cancel, and the
 * order of the messages does not show whether it did. If it ends with another stop reason than `cancelled`, the kit
 * therefore cancels a turn that waits for the client, and reports a failure only if this turn does not end with
 * `cancelled` either. Then the kit cancels a second long turn. If this turn does not end with `cancelled`, the report
 * shows advice.
 */
async function cancelLasting(context: AgentContext, session: TestSession): Promise<void> {
  const turn = await lastingTurn(context, session);
  const first = await stopTurn(context, session, turn, cancelOf(session), "CANCEL-06");
  if (first.isCancelled) return checkSilence(context, session, turn);
  const waiting = await waitingTurn(context, session);
  if (waiting) await cancelWaiting(context, session, waiting);
  const again = await longTurn(context, session);
  const second = await stopTurn(context, session, again, cancelOf(session), "CANCEL-06");
  if (!second.isCancelled) checkEnd(context, session, again, second, { advice: true });
  context.inconclusive("the turn may have ended by itself before the agent read the cancel");
}

function checkEnd(
  context: AgentContext,
  session: TestSession,
  turn: OpenTurn,
  { response, sent }: StoppedTurn<DialogueEntry>,
  weight: { readonly advice?: true } = {},
): void {
  const where = session.peer.at(turn.prompt.seq, sent.seq, response.seq);
  const evidence = { ...weight, sent: "session/cancel while the turn was running", where };
  if (response.error) context.fail("CANCEL-07", { ...evidence, received: response });
  const stopReason = member(response.result, "stopReason");
  if (stopReason === "cancelled") return;
  context.fail("CANCEL-06", { ...evidence, received: `stopReason ${shown(stopReason)}` });
}

/** Checks that the agent sends no update of a cancelled turn after its end. */
async function checkSilence(context: AgentContext, session: TestSession, { prompt }: OpenTurn): Promise<void> {
  const { response } = prompt;
  if (!response) return;
  await session.peer.fence();
  await session.peer.quiet(context.options.quietMs);
  const late = context.updates(session, response.seq).find(isStreamed);
  if (!late) return;
  context.fail("CANCEL-08", {
    sent: "session/cancel while the turn was running",
    received: `${shown(late.update)} after the response`,
    where: session.peer.at(response.seq, late.seq),
  });
}
