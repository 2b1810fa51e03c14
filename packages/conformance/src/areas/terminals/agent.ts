import type { AgentContext } from "../../agent/agent-context.js";
import { type AgentCheck, agentScenario } from "../../agent/agent-scenario.js";
import { request, schemaWatch } from "../../agent/schema-watch.js";
import { checkTurnEnds, refusing, type ServedRequest, served } from "../../agent/served-request.js";
import { member, objectsIn } from "../../wire/values.js";

/** The checks of agents: terminals. */
export const terminalsAgentChecks: readonly AgentCheck[] = [
  agentScenario("terminals/released", ["TERM-13"], {
    title: "The agent releases every terminal that it creates",
    needs: ["prompt: terminal"],
    async run(context) {
      const all = await served(context, "terminal", "terminal/create");
      await context.endOf(all.session, all.turn);
      await released(context, all, "a prompt to run a command");
    },
  }),
  agentScenario("terminals/released-after-cancel", ["TERM-13"], {
    title: "The agent releases the terminal of a running command when the turn is cancelled",
    basis: "terminals/released",
    needs: ["prompt: longTerminal"],
    async run(context) {
      const all = await served(context, "longTerminal", "terminal/create", { endlessCommands: true });
      const { session, turn } = all;
      await session.peer.next(({ method }) => method === "terminal/wait_for_exit" || method === "terminal/output", {
        since: all.request.seq,
        timeoutMs: context.options.requestTimeoutMs,
      });
      session.peer.notify("session/cancel", { sessionId: session.id });
      await context.endOf(session, turn);
      await released(context, all, "session/cancel while a command was running in a terminal");
    },
  }),
  agentScenario("terminals/refused", ["ERR-03"], {
    title: "The turn ends even if the client can't create a terminal",
    needs: ["prompt: terminal"],
    async run(context) {
      const first = refusing("terminal/create", { code: -32603, message: "No more terminals" });
      const all = await served(context, "terminal", "terminal/create", { first });
      await checkTurnEnds(context, all, { requirement: "ERR-03", sent: "an error to terminal/create" });
    },
  }),
  schemaWatch("terminals", ["TERM-03"], "Requests for terminals match the schema", request("terminal/")),
];

/** Waits for the release of a terminal, and checks that the agent has released each of its terminals. */
async function released(context: AgentContext, { session, request }: ServedRequest, sent: string): Promise<void> {
  await session.peer.next(({ method }) => method === "terminal/release", {
    since: request.seq,
    timeoutMs: Math.min(context.options.requestTimeoutMs, 2_000),
  });
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
  context.fail("TERM-13", {
    // The agent decides how long it needs a terminal, so the kit can't prove that a release is missing.
    advice: true,
    sent,
    received: `terminal/create, and no terminal/release of ${left.join(", ")}`,
    where: session.peer.at(request.seq),
  });
}
