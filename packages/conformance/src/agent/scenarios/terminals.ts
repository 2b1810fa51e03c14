import { member, objectsIn, shown } from "../../wire/values.js";
import type { AgentContext } from "../agent-context.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { endsAnyway, refusing, type Served, served } from "../served-request.js";

/** Scenarios about terminals that the agent creates through the client. */
export const terminalScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "terminals/released",
    title: "Every terminal that the agent creates, it releases",
    verifies: ["TERM-13"],
    needs: ["prompt: terminal"],
    async run(context) {
      const all = await served(context, "terminal", "terminal/create");
      await context.endOf(all.session, all.turn);
      await all.session.peer.next(({ method }) => method === "terminal/release", {
        since: all.request.seq,
        timeoutMs: Math.min(context.options.answerMs, 2_000),
      });
      released(context, all, "a prompt to run a command");
    },
  }),
  agentScenario({
    id: "terminals/released-after-cancel",
    title: "A terminal is released, too, when the turn is cancelled while its command runs",
    verifies: ["TERM-13", "CANCEL-06", "CANCEL-07"],
    needs: ["prompt: longTerminal"],
    async run(context) {
      const all = await served(context, "longTerminal", "terminal/create", { endlessCommands: true });
      const { session, turn } = all;
      await session.peer.next(({ method }) => method === "terminal/wait_for_exit" || method === "terminal/output", {
        since: all.request.seq,
        timeoutMs: context.options.answerMs,
      });
      const { seq } = session.peer.notify("session/cancel", { sessionId: session.id });
      const answer = await context.endOf(session, turn);
      if (member(answer.result, "stopReason") !== "cancelled") {
        context.note({
          requirement: answer.error ? "CANCEL-07" : "CANCEL-06",
          sent: "session/cancel while a command was running in a terminal",
          received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
          explanation: "A cancelled turn ends with the stop reason cancelled, never with an error.",
          where: session.peer.at(turn.asked.seq, seq, answer.seq),
        });
      }
      await session.peer.next(({ method }) => method === "terminal/release", {
        since: all.request.seq,
        timeoutMs: context.options.quietMs * 4,
      });
      released(context, all, "session/cancel while a command was running in a terminal");
    },
  }),
  agentScenario({
    id: "terminals/refused",
    title: "When no terminal can be created, the turn still ends",
    verifies: ["ERR-03"],
    needs: ["prompt: terminal"],
    async run(context) {
      const first = refusing("terminal/create", { code: -32603, message: "No more terminals" });
      const all = await served(context, "terminal", "terminal/create", { first });
      await endsAnyway(context, all, "ERR-03", "an error to terminal/create");
    },
  }),
];

function released(context: AgentContext, { session, request }: Served, sent: string): void {
  const { incoming, log } = session.peer;
  const created = incoming.filter(({ method }) => method === "terminal/create").map(({ message }) => message.id);
  const ids = log.entries.flatMap((entry) => {
    if (!("message" in entry) || entry.from !== "client" || !created.includes(member(entry.message, "id"))) return [];
    const id = member(entry.message, "result", "terminalId");
    return typeof id === "string" ? [id] : [];
  });
  const gone = objectsIn(incoming.filter(({ method }) => method === "terminal/release").map(({ params }) => params));
  const left = ids.filter((id) => !gone.some(({ terminalId }) => terminalId === id));
  if (left.length === 0) return;
  context.fail({
    requirement: "TERM-13",
    sent,
    received: `terminal/create, and no terminal/release of ${left.join(", ")}`,
    explanation: "Every terminal that was created is released, also after errors and in cancelled turns.",
    where: session.peer.at(request.seq),
  });
}
