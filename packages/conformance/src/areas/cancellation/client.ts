import { type ClientCheck, callWatch, clientWatch, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { survives } from "../../client/survives.js";
import type { Turn } from "../../client/turn.js";
import { callOf } from "../../client/wire-event.js";
import { asText, member, shown } from "../../wire/values.js";

const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

/** The checks of clients: cancellation. */
export const cancellationClientChecks: readonly ClientCheck[] = [
  survives("messages/cancel-of-nothing", ["CANCEL-20", "CANCEL-17"], {
    title: "The client ignores $/cancel_request for a request that is unknown or has its response already",
    after: "`$/cancel_request` without a matching request",
    act: async (turn) => {
      turn.agent.notify("$/cancel_request", { requestId: 999_999 });
      turn.agent.notify("$/cancel_request", { requestId: "no such" });
      await turn.agent.tryRequest("_acp-kit.test/done", {}, "done");
      turn.agent.notify("$/cancel_request", { requestId: "done" });
    },
  }),
  turnScenario("cancellation/turn", ["CANCEL-09", "CANCEL-01"], {
    title: "The client accepts updates between its cancel and the end of the turn",
    needs: ["--cancel-signal or --cancel-stdin"],
    run: async (context, turn) => {
      turn.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "A long call", status: "in_progress" });
      await makeCancel(context, turn);
      turn.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
      turn.say("Stopped.");
      const response = await turn.agent.tryRequest("_acp-kit.test/alive", {});
      if (!response && !context.run.status)
        turn.agent.failNoResponse("late updates after `session/cancel`, then a request");
      turn.end("cancelled");
      if (response) return;
      context.fail("CANCEL-09", {
        sent: "An update after `session/cancel`, before the end of the turn",
        received: `The client exited${context.run.silence()}.`,
        explanation: "After cancelling, a client accepts further updates of the turn and waits for its end.",
      });
    },
  }),
  turnScenario("cancellation/pending-permissions", ["CANCEL-04", "PERM-06", "CANCEL-15"], {
    title: "The client responds to open permission requests with cancelled when it cancels the turn",
    needs: ["--cancel-signal or --cancel-stdin", "a client that leaves permission requests open for a while"],
    run: async (context, turn) => {
      const pending = ["t1", "t2"].map((toolCallId) =>
        turn.tryRequest("session/request_permission", { toolCall: { toolCallId, title: "A call" }, options }),
      );
      const early = await Promise.race([
        ...pending,
        turn.agent.tryRequest("_acp-kit.test/alive", {}).then(() => "open" as const),
      ]);
      if (early !== "open")
        context.skip("The client responds to permission requests immediately, so no request is open when it cancels.");
      let hasCancelled = false;
      void turn.cancelled.then(() => {
        hasCancelled = true;
      });
      const responses = pending.map(async (each) => ({ response: await each, wasOpen: hasCancelled }));
      await makeCancel(context, turn);
      for (const { response, wasOpen } of await Promise.all(responses)) {
        if (!wasOpen) context.skip("The client responded to a permission request before it cancelled.");
        if (member(response?.result, "outcome", "outcome") === "cancelled") continue;
        context.note(response?.error ? "CANCEL-15" : "CANCEL-04", {
          sent: "Two permission requests that were open when the client cancelled the turn",
          received: response ? shown(response) : `No response${context.run.silence()}.`,
          explanation:
            "A client that cancels a turn responds to each of its open permission requests with the outcome `cancelled`.",
        });
      }
      turn.end("cancelled");
    },
  }),
  turnScenario("cancellation/race", ["CANCEL-13"], {
    title: "The client accepts end_turn for a turn that it cancelled",
    needs: ["--cancel-signal or --cancel-stdin"],
    run: async (context, turn) => {
      await makeCancel(context, turn);
      turn.end("end_turn");
      await context.settles("CANCEL-13", "`end_turn` for a turn that was cancelled");
    },
  }),
  turnScenario("cancellation/of-a-request", ["CANCEL-18"], {
    title: "The client responds once to a request that the agent cancels",
    run: async (context, turn) => {
      const id = "to be cancelled";
      const waiting = turn.tryRequest(
        "session/request_permission",
        { toolCall: { toolCallId: "t1", title: "A call" }, options },
        id,
      );
      turn.agent.notify("$/cancel_request", { requestId: id });
      const response = await waiting;
      if (response?.error && response.error.code !== -32800) {
        context.note("CANCEL-18", { sent: "`$/cancel_request` for an open permission request", received: response });
      }
      if (!response) {
        await turn.checkAlive("`$/cancel_request` for an open permission request");
        context.skip(
          "There was no response; the client may be waiting for its user, and cancelling requests is optional.",
        );
      }
    },
  }),
  clientWatch("lifecycle/cancel-is-a-notification", ["CANCEL-02"], {
    title: "`session/cancel` is a notification",
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "session/cancel") return undefined;
      return event.kind === "notification" ? "fine" : { received: shown(call) };
    },
  }),
  callWatch("lifecycle/cancel-own-request", ["CANCEL-21"], {
    title: "`$/cancel_request` names an open request of the client, with the same type of id",
    method: "$/cancel_request",
    judge: (call, state) => {
      const id = member(call.params, "requestId");
      const near = [...state.openFromClient.values()].find((open) => asText(open.id) === asText(id));
      if (!near || near.id === id) return true;
      return { explanation: `The open request has the id ${shown(near.id)}.` };
    },
  }),
];

/** Makes the client cancel the turn, in the way that the options configure. */
async function makeCancel(context: ClientScenarioContext, turn: Turn): Promise<void> {
  const { cancelSignal, cancelStdin, stepTimeoutMs } = context.driving;
  if (cancelSignal === undefined && cancelStdin === undefined) {
    context.skip("No way to make the client cancel is configured; set `--cancel-signal` or `--cancel-stdin`.");
  }
  await turn.checkAlive("the start of a turn");
  if (cancelSignal !== undefined) context.run.process.signal(cancelSignal);
  if (cancelStdin !== undefined) context.run.process.type(`${cancelStdin}\n`);
  const cancelled = await Promise.race([
    turn.cancelled.then(() => true),
    context.run.until(() => false, stepTimeoutMs).then(() => false),
  ]);
  if (!cancelled) context.skip(`The client sent no \`session/cancel\`${context.run.silence()}.`);
}
