import { expect, test } from "vitest";
import { rawAgent } from "../test/raw-agent.js";
import type { AgentConnection } from "./agent-connection.js";
import type { Session } from "./session/session.js";

type Call = (agent: AgentConnection, session: Session) => unknown;

/** What plain JavaScript may pass. */
const wrong = (value: unknown): never => value as never;
const server = { name: "files", command: "/bin/files", args: [], env: [] };
const setup = { cwd: "/work" };

test.each<[string, Call]>([
  ['newSession: the option "cwd" is missing', (agent) => agent.newSession(wrong({}))],
  [
    "session/new was not sent: mcpServers: must be an array (got object)",
    (agent) => agent.newSession(wrong({ ...setup, mcpServers: {} })),
  ],
  [
    "session/new was not sent: mcpServers[0].command",
    (agent) => agent.newSession(wrong({ ...setup, mcpServers: [{ ...server, command: 1 }] })),
  ],
  [
    "session/new was not sent: additionalDirectories[0]",
    (agent) => agent.newSession(wrong({ ...setup, additionalDirectories: [1] })),
  ],
  [
    "session/load was not sent: sessionId: must be a string (got number)",
    (agent) => agent.loadSession(wrong({ ...setup, sessionId: 1 })),
  ],
  ['resumeSession: the option "sessionId" is missing', (agent) => agent.resumeSession(wrong(setup))],
  ["session/list was not sent: cwd", (agent) => agent.listSessions(wrong({ cwd: 1 })).next()],
  ["session/delete was not sent: sessionId", (agent) => agent.deleteSession(wrong(undefined))],
  [
    "session/prompt was not sent: prompt: must be an array (got number)",
    (_, session) => session.prompt(wrong(5)).result,
  ],
  [
    "session/prompt was not sent: prompt: must be an array (missing)",
    (_, session) => session.prompt(wrong(undefined)).result,
  ],
  [
    "session/prompt was not sent: prompt[1].text: must be a string (missing)",
    (_, session) => session.prompt(wrong([{ type: "text", text: "a" }, { type: "text" }])).result,
  ],
  ["session/prompt was not sent: prompt[0]", (_, session) => session.prompt(wrong(["a"])).result],
  ['The session has no option "a"', (_, session) => session.options.set("a", wrong(3))],
])("%s, and nothing is sent", async (message, call) => {
  const capabilities = { list: {}, resume: {}, delete: {} };
  const agent = await rawAgent({
    answer: { agentCapabilities: { loadSession: true, sessionCapabilities: capabilities } },
    react: ({ id, method }) => (method === "session/new" ? [{ id, result: { sessionId: "s1" } }] : []),
  });
  const session = await agent.connection.newSession(setup);
  const { length } = agent.receivedSoFar();
  const error: unknown = await Promise.resolve(call(agent.connection, session)).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toContain(message);
  expect(agent.receivedSoFar()).toHaveLength(length);
});
