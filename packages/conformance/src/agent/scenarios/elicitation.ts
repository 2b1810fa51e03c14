import { isSuccess } from "../../response-matchers.js";
import { Failure, Inconclusive, Skip } from "../../verdict.js";
import { member, shown, textOf } from "../../wire/values.js";
import type { AgentContext, TestSession } from "../agent-context.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import type { ClientBehaviour } from "../client-side.js";
import { checkTurnEnds, type ServedRequest, served } from "../served-request.js";

/** Scenarios about forms and pages for the user. */
export const elicitationScenarios: readonly AgentScenario[] = [
  ...(["form", "url"] as const).flatMap((mode) =>
    (["accept", "decline", "cancel", "an unknown action", "an error"] as const).map((how) =>
      agentScenario({
        id: `elicitation/${mode}-${how.split(" ").at(-1) === "action" ? "unknown-action" : how.split(" ").at(-1)}`,
        title: `The turn ends after the client responds to ${mode === "form" ? "a form" : "a request to open a page"} with ${how}`,
        verifies: how === "an unknown action" ? ["ELICIT-24"] : ["ELICIT-23"],
        needs: [`prompt: ${mode}`],
        async run(context) {
          const elicitation: ClientBehaviour["elicitation"] =
            how === "an unknown action"
              ? () => ({ result: { action: "_conformance/later" } })
              : how === "an error"
                ? () => ({ error: { code: -32603, message: "No user here" } })
                : how;
          const all = await served(context, mode, "elicitation/create", { elicitation });
          await checkTurnEnds(context, all, {
            requirement: how === "an unknown action" ? "ELICIT-24" : "ELICIT-23",
            sent: `${how} as the response to elicitation/create`,
            control: { elicitation: how === "accept" ? "decline" : "accept" },
          });
          if (how !== "accept") await checkNotAccepted(context, all, mode, how);
        },
      }),
    ),
  ),
  agentScenario({
    id: "elicitation/while-cancelled",
    title: "A turn that is cancelled during an elicitation doesn't hang",
    verifies: ["ELICIT-46", "CANCEL-07"],
    needs: ["prompt: form"],
    async run(context) {
      const all = await served(context, "form", "elicitation/create", { elicitation: () => "hold" });
      const { session, turn, request } = all;
      session.peer.notify("session/cancel", { sessionId: session.id });
      session.peer.respond(request, { result: { action: "cancel" } });
      // The control: the same turn without the cancel.
      const response = await context.responseOrControl(session, turn.prompt, { requirement: "ELICIT-46" }, async () => {
        const other = await context.openSession();
        await context.endOf(other, context.prompt(other, context.text("form")));
      });
      context.expect("CANCEL-07", response, isSuccess, {
        sent: "session/cancel during an elicitation, and the action cancel",
      });
    },
  }),
];

/** Checks that the agent does not continue as if the user had accepted. */
async function checkNotAccepted(
  context: AgentContext,
  { session, turn, request }: ServedRequest,
  mode: "form" | "url",
  how: string,
): Promise<void> {
  const requirement = how === "an unknown action" ? "ELICIT-24" : "ELICIT-23";
  const sent = `${how} as the response to elicitation/create`;
  const id = member(request.params, "elicitationId");
  const completed = session.peer.incoming.find(
    ({ method, params, seq }) =>
      method === "elicitation/complete" && seq > request.seq && member(params, "elicitationId") === id,
  );
  if (mode === "url" && completed) {
    context.fail(requirement, {
      sent,
      received: `elicitation/complete ${shown(completed.params)}`,
      explanation: "The user did not agree to open the page, so the elicitation can't be complete.",
      remedy: "Send elicitation/complete only after the action accept.",
      where: session.peer.at(request.seq, completed.seq),
    });
  }
  // The text is evidence only if it equals the agent's text after accept, and the agent's text after cancel is different.
  const said = agentTextAfter(context, session, request.seq);
  if (how === "cancel" || said === "") return;
  const accepted = await textAfterResponse(context, mode, "accept");
  const cancelled = await textAfterResponse(context, mode, "cancel");
  if (cancelled === undefined || said !== accepted || accepted === cancelled) return;
  context.note(requirement, {
    advice: true,
    sent,
    received: `the same text as after accept: ${shown(said)}`,
    explanation:
      "The agent's text after cancel differs from this text, so the agent seems to treat this response as accept.",
    where: session.peer.at(turn.prompt.seq, request.seq),
  });
}

/** Repeats the elicitation with the response `how`, and returns the agent's text after it; `undefined` if that exchange fails. */
async function textAfterResponse(
  context: AgentContext,
  mode: "form" | "url",
  how: "accept" | "cancel",
): Promise<string | undefined> {
  try {
    const { session, turn, request } = await served(context, mode, "elicitation/create", { elicitation: how });
    await context.endOf(session, turn);
    return agentTextAfter(context, session, request.seq);
  } catch (error) {
    if (error instanceof Failure || error instanceof Skip || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

function agentTextAfter(context: AgentContext, session: TestSession, seq: number): string {
  return context
    .updates(session, seq)
    .map(({ update }) => (update.sessionUpdate === "agent_message_chunk" ? textOf(member(update.content, "text")) : ""))
    .join("");
}
