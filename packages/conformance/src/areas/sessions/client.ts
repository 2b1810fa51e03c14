import { type ClientCheck, callWatch, clientScenario, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import type { ClientRun } from "../../client/client-run.js";
import { type RuleAt, schemaWatch } from "../../client/schema-watch.js";
import { chunk, text } from "../../client/survives-updates.js";
import type { Call } from "../../client/wire-event.js";
import { isAbsolutePath, itemsOf, member, shown } from "../../wire/values.js";

/** The result of `session/list`: one saved session, in the working directory of the client. */
const saved = ({ params }: Call): unknown => ({
  sessions: [
    {
      sessionId: "saved/\u{1f4be} 1",
      cwd: member(params, "cwd") ?? "/",
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

const namesSession: ReadonlySet<string> = new Set([
  "session/prompt",
  "session/cancel",
  "session/close",
  "session/set_mode",
  "session/set_config_option",
]);

/** Returns the rule about an entry of `mcpServers`, which depends on the type of the entry. */
const ofServers: RuleAt = ([name, index], value) =>
  name === "mcpServers" && index !== undefined
    ? member(itemsOf(member(value, name))[Number(index)], "type") === undefined
      ? "MCP-06"
      : "MCP-07"
    : undefined;

/** The checks of clients: sessions. */
export const sessionsClientChecks: readonly ClientCheck[] = [
  clientScenario("opening/odd-session-id", ["SESS-05", "TRANS-01"], {
    title: "The client sends a session id with unusual characters unchanged",
    run: async (context) => {
      const id = 'a session/ü\u2028\u{1f9ea} é\n"quoted"\\';
      const turn = await context.turn({ sessionId: (n) => (n === 1 ? id : `${id}${n}`) });
      if (turn.sessionId !== id && turn.sessionId !== `${id}2`) {
        context.fail("SESS-05", {
          sent: `The session id ${shown(id)}`,
          received: shown(turn.sessionId),
          explanation: "Ids are opaque: every character counts, also those outside ASCII.",
        });
      }
    },
  }),
  clientScenario("opening/load", ["SESS-13", "SESS-18"], {
    title: "The client loads a saved session, and continues after its history",
    needs: ["a client that loads sessions"],
    run: async (context) => {
      const run = await context.start({
        capabilities: { loadSession: true, sessionCapabilities: { list: {} } },
        handlers: {
          "session/list": saved,
          "session/load": ({ params }, agent) => {
            const sessionId = member(params, "sessionId");
            for (const update of history) agent.notify("session/update", { sessionId, update });
            return {};
          },
        },
      });
      const call = await firstCallOf(context, run, "session/load");
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
  clientScenario("opening/resume", ["SESS-22"], {
    title: "The client resumes a saved session",
    needs: ["a client that resumes sessions"],
    run: async (context) => {
      const run = await context.start({
        capabilities: { sessionCapabilities: { list: {}, resume: {} } },
        handlers: { "session/list": saved },
      });
      checkParams(context, await firstCallOf(context, run, "session/resume"), "SESS-22");
    },
  }),
  turnScenario("updates/other-session", ["SESS-32"], {
    title: "An update of a session that the client doesn't know is ignored",
    run: async (context, turn) => {
      turn.agent.notify("session/update", { sessionId: "unknown", update: chunk(text("Lost.")) });
      await context.survived(turn, "SESS-32", "an update of an unknown session");
    },
  }),
  callWatch("lifecycle/session-id-verbatim", ["SESS-05", "PROMPT-01"], {
    title: "The client uses session ids unchanged",
    judge: ({ method, params }, { sessions }) => {
      if (!namesSession.has(method)) return undefined;
      const sessionId = member(params, "sessionId");
      if (typeof sessionId !== "string" || sessions.has(sessionId)) return true;
      const requirement = sessions.size === 0 && method === "session/prompt" ? "PROMPT-01" : "SESS-05";
      return { requirement, sent: `The session ids ${shown([...sessions.keys()])}` };
    },
  }),
  callWatch("lifecycle/cwd-absolute", ["SESS-07"], {
    title: "A session's `cwd` is an absolute path",
    judge: ({ method, params }) =>
      /^session\/(new|load|resume)$/.test(method) ? isAbsolutePath(member(params, "cwd")) : undefined,
  }),
  schemaWatch("new-session", ["SESS-02", "RPC-18", "MCP-06", "MCP-07"], ["session/new"], ofServers),
  schemaWatch("load-session", ["SESS-13", "RPC-18", "MCP-06", "MCP-07"], ["session/load"], ofServers),
  schemaWatch("resume-session", ["SESS-22", "RPC-18", "MCP-06", "MCP-07"], ["session/resume"], ofServers),
];

/** Waits until the client prompts, and returns its first call of a method. Skips if there is none. */
async function firstCallOf(context: ClientScenarioContext, run: ClientRun, method: string): Promise<Call> {
  await run.until(() => run.requests.some((call) => call.method === method || call.method === "session/prompt"));
  const call = run.requests.find((each) => each.method === method);
  return call ?? context.skip(`The client calls no \`${method}\` by itself${run.silence()}.`);
}

/** Checks the members of a request that continues a session. */
function checkParams(context: ClientScenarioContext, { method, params }: Call, requirement: string): void {
  if (typeof member(params, "sessionId") === "string" && typeof member(params, "cwd") === "string") return;
  context.note(requirement, {
    sent: "The capability to continue sessions, and a list with one saved session",
    received: shown(params),
    explanation: `\`${method}\` has the \`sessionId\` and the \`cwd\` of the session, both strings.`,
  });
}
