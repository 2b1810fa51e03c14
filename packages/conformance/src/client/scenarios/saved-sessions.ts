import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import type { ClientRun } from "../client-run.js";
import { at, show } from "../json.js";
import type { Call } from "../wire-event.js";

/** The result of `session/list`: one saved session, in the working directory of the client. */
const saved = ({ params }: Call): unknown => ({
  sessions: [
    {
      sessionId: "saved/\u{1f4be} 1",
      cwd: at(params, "cwd") ?? "/",
      title: "An earlier session",
      updatedAt: "2026-01-01T00:00:00Z",
    },
  ],
});

/** The history of a loaded session, one update of each common kind. */
const history = [
  { sessionUpdate: "user_message_chunk", content: { type: "text", text: "An earlier prompt." } },
  { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "A thought." } },
  { sessionUpdate: "tool_call", toolCallId: "earlier", title: "Read a file", kind: "read", status: "completed" },
  { sessionUpdate: "plan", entries: [{ content: "The only step", priority: "low", status: "completed" }] },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "The response to it." } },
] as const;

/** Waits until the client has opened a session and prompts, and returns its first call of a method. Skips if there is none. */
async function callOf(context: ClientScenarioContext, run: ClientRun, method: string): Promise<Call> {
  await run.until(() => run.requests.some((call) => call.method === method || call.method === "session/prompt"));
  const call = run.requests.find((each) => each.method === method);
  return call ?? context.skip(`The client calls no \`${method}\` by itself${run.silence()}.`);
}

/** Checks the members of a request that continues a session. */
function checkParams(context: ClientScenarioContext, { method, params }: Call, requirement: string): void {
  if (typeof at(params, "sessionId") === "string" && typeof at(params, "cwd") === "string") return;
  context.note(requirement, {
    sent: "The capability to continue sessions, and a list with one saved session",
    received: show(params),
    explanation: `\`${method}\` has the \`sessionId\` and the \`cwd\` of the session, both strings.`,
  });
}

/** Scenarios about sessions of an earlier run. They apply only to clients that load or resume sessions by themselves. */
export const savedSessionScenarios: readonly Scenario<ClientScenarioContext>[] = [
  clientScenario({
    id: "opening/load",
    title: "The client loads a saved session, and continues after its history",
    verifies: ["SESS-13", "SESS-18"],
    needs: ["a client that loads sessions"],
    run: async (context) => {
      const run = await context.start({
        capabilities: { loadSession: true, sessionCapabilities: { list: {} } },
        handlers: {
          "session/list": saved,
          "session/load": ({ params }, agent) => {
            const sessionId = at(params, "sessionId");
            for (const update of history) agent.notify("session/update", { sessionId, update });
            return {};
          },
        },
      });
      const call = await callOf(context, run, "session/load");
      checkParams(context, call, "SESS-13");
      const turn = await run.nextTurn();
      if (turn) return context.survived(turn, "SESS-18", "the history of a loaded session");
      const { facts } = context;
      if (run.status === undefined || facts.exitCode === undefined || run.status.code === facts.exitCode)
        context.skip(`The client sent no prompt after \`session/load\`${run.silence()}.`);
      context.fail("SESS-18", {
        sent: "The history of the session, and the response to `session/load`",
        received: `No prompt${run.silence()}.`,
        explanation: `A client continues a loaded session. After a plain turn it exits with code ${facts.exitCode}.`,
      });
    },
  }),
  clientScenario({
    id: "opening/resume",
    title: "The client resumes a saved session",
    verifies: ["SESS-22"],
    needs: ["a client that resumes sessions"],
    run: async (context) => {
      const run = await context.start({
        capabilities: { sessionCapabilities: { list: {}, resume: {} } },
        handlers: { "session/list": saved },
      });
      checkParams(context, await callOf(context, run, "session/resume"), "SESS-22");
    },
  }),
];
