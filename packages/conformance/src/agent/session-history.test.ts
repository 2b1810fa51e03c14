import { expect, test } from "vitest";
import { clientWatches } from "../client/client-checks.js";
import { DialogueLog } from "../dialogue.js";
import { agentWatches } from "./agent-checks.js";

/** Plays a conversation after `session/new`, and returns the rules that the watches find broken. */
function broken(
  play: (client: (message: object) => void, agent: (message: object) => void) => void,
  agentCapabilities: object = {},
): string[] {
  const log = new DialogueLog("connection 1");
  const client = (message: object): void => void log.message("client", { jsonrpc: "2.0", ...message });
  const agent = (message: object): void => void log.message("agent", { jsonrpc: "2.0", ...message });
  client({
    id: 0,
    method: "initialize",
    params: { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "test", version: "1" } },
  });
  agent({ id: 0, result: { protocolVersion: 1, agentCapabilities } });
  client({ id: 1, method: "session/new", params: { cwd: "/work", mcpServers: [] } });
  agent({ id: 1, result: { sessionId: "s1" } });
  play(client, agent);
  const findings = [...agentWatches, ...clientWatches].flatMap((watch) => watch.watch(log).findings);
  return findings.map(({ requirement }) => requirement);
}

const prompt = (id: number, sessionId = "s1"): object => ({
  id,
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text: "go" }] },
});
const end = (id: number): object => ({ id, result: { stopReason: "end_turn" } });
const update = (update: object, sessionId = "s1"): object => ({
  method: "session/update",
  params: { sessionId, update },
});
const chunk = (messageId: string, sessionId?: string): object =>
  update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text: "word " } }, sessionId);
const toolCall = update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "Read", status: "pending" });

test("a message that continues after a second prompt during its turn keeps its messageId", () => {
  const rules = broken((client, agent) => {
    client(prompt(2));
    agent(chunk("m1"));
    agent(toolCall);
    client(prompt(3));
    agent(chunk("m1"));
    agent(toolCall);
    agent(end(2));
    agent(chunk("m2"));
    agent(end(3));
  });
  expect(rules).not.toContain("MSG-04");
  expect(rules).not.toContain("TOOL-02");
});

test("a messageId or a toolCallId that a later turn uses again breaks a rule, also after overlapping prompts", () => {
  const rules = broken((client, agent) => {
    client(prompt(2));
    agent(chunk("m1"));
    agent(toolCall);
    client(prompt(3));
    agent(end(3));
    agent(end(2));
    client(prompt(4));
    agent(chunk("m1"));
    agent(toolCall);
    agent(end(4));
  });
  expect(rules).toEqual(expect.arrayContaining(["MSG-04", "TOOL-02"]));
});

test("a message or a tool call outside of turns may continue after a prompt that it has crossed", () => {
  const background = (continued: number): string[] =>
    broken((client, agent) => {
      agent(chunk("m1"));
      agent(toolCall);
      for (let id = 2; id <= 2 + continued; id += 1) {
        client(prompt(id));
        agent(chunk(id === 2 + continued ? "m1" : `other ${id}`));
        if (id === 2 + continued) agent(toolCall);
        agent(end(id));
      }
    });
  expect(background(0)).toEqual([]);
  expect(background(1).sort()).toEqual(["MSG-04", "TOOL-02"]);
});

test("an agent may send updates for a session before its response, even if the kit no longer waits for the response", () => {
  const rules = broken((client, agent) => {
    client({ id: 2, method: "session/new", params: { cwd: "/work", mcpServers: [] } });
    agent(chunk("m1", "s2"));
  });
  expect(rules).not.toContain("PROMPT-06");
});

test("a session that session/fork created is open, and an agent that advertised the unstable method gets it", () => {
  const fork = (result: object, capabilities?: object): string[] =>
    broken((client, agent) => {
      client({ id: 2, method: "session/fork", params: { sessionId: "s1", cwd: "/work", mcpServers: [] } });
      agent({ id: 2, ...result });
      client(prompt(3, "s2"));
      agent(chunk("m1", "s2"));
      agent(end(3));
    }, capabilities);
  const forks = { sessionCapabilities: { fork: {} } };
  expect(fork({ result: { sessionId: "s2" } }, forks)).toEqual([]);
  const refused = fork({ error: { code: -32_601, message: "Method not found" } });
  expect(refused.sort()).toEqual(["PROMPT-06", "RPC-20", "SESS-05"]);
});

const plan = (...entries: string[]): object =>
  update({
    sessionUpdate: "plan",
    entries: entries.map((content) => ({ content, priority: "medium", status: "pending" })),
  });

test("the plans of two overlapping prompts are not one plan without some entries", () => {
  const rules = broken((client, agent) => {
    client(prompt(2));
    agent(plan("read", "fix"));
    client(prompt(3));
    agent(plan("read"));
    agent(plan("read", "fix"));
    agent(end(2));
    agent(end(3));
  });
  expect(rules).not.toContain("PLAN-04");
});

test("a plan that replaces another plan may be followed by a plan with an entry of the first one", () => {
  const rules = broken((client, agent) => {
    client(prompt(2));
    agent(plan("read the code", "run the tests"));
    agent(plan("fix the type error"));
    agent(plan("fix the type error", "run the tests"));
    agent(end(2));
  });
  expect(rules).toEqual([]);
});

test("a plan that lists only the entries that changed breaks a rule, also after overlapping prompts", () => {
  const rules = broken((client, agent) => {
    client(prompt(2));
    client(prompt(3));
    agent(end(2));
    agent(end(3));
    client(prompt(4));
    agent(plan("read", "fix"));
    agent(plan("read"));
    agent(plan("fix"));
    agent(end(4));
  });
  expect(rules).toContain("PLAN-04");
});

/** A `session/load` of the open session, whose replay is one update. */
const load = (replayed: object): string[] =>
  broken(
    (client, agent) => {
      client(prompt(2));
      agent(update({ sessionUpdate: "usage_update", used: 2, size: 10, cost: { amount: 2, currency: "USD" } }));
      agent(end(2));
      client({ id: 3, method: "session/load", params: { sessionId: "s1", cwd: "/work", mcpServers: [] } });
      agent(replayed);
      agent({ id: 3, result: {} });
    },
    { loadSession: true },
  );

test("a replayed history may contain an earlier cost of the session", () => {
  const usage = { sessionUpdate: "usage_update", used: 1, size: 10, cost: { amount: 1, currency: "USD" } };
  expect(load(update(usage))).toEqual([]);
});

test("a replayed history may contain a tool call with a terminal of an earlier connection", () => {
  const content = [{ type: "terminal", terminalId: "of an earlier connection" }];
  const call = { sessionUpdate: "tool_call", toolCallId: "t1", title: "Build", status: "completed", content };
  expect(load(update(call))).toEqual([]);
});

/** A form with one text field, in a turn. */
const form = (message: string): string[] =>
  broken((client, agent) => {
    client(prompt(2));
    agent({
      id: 1,
      method: "elicitation/create",
      params: {
        mode: "form",
        sessionId: "s1",
        message,
        requestedSchema: { type: "object", properties: { answer: { type: "string" } } },
      },
    });
    client({ id: 1, result: { action: "cancel" } });
    agent(end(2));
  });

test.each([
  "Enter the name of the secret that the deployment uses.",
  "Please enter the path to your private key.",
  "Type the id of the API key to revoke",
  "Enter a secret name",
  "Enter the password hint.",
])("a form may request the name or the place of a secret: %s", (message) => {
  expect(form(message)).not.toContain("ELICIT-25");
});

test.each([
  "Please enter your password.",
  "Enter your user name and password",
  "Paste the path and the access token",
  "Enter the secret key of the account",
])("a form may not request a secret: %s", (message) => {
  expect(form(message)).toContain("ELICIT-25");
});

const textless = { toString: 1, valueOf: 1 };

test.each<[string, object]>([
  ["sessionId", { method: "session/update", params: { sessionId: textless, update: { sessionUpdate: "plan" } } }],
  ["sessionUpdate", update({ sessionUpdate: textless })],
  ["toolCallId", update({ sessionUpdate: "tool_call", toolCallId: textless, status: textless, name: "n" })],
  ["name of a tool", update({ sessionUpdate: "tool_call", toolCallId: "t", name: textless, title: textless })],
  ["terminalId", update({ sessionUpdate: "tool_call", content: [{ type: "terminal", terminalId: textless }] })],
  ["compactionId", update({ sessionUpdate: "compaction_update", compactionId: textless, status: textless })],
  ["content of a plan", update({ sessionUpdate: "plan", entries: [{ content: textless }] })],
  ["currency", update({ sessionUpdate: "usage_update", cost: { amount: 1, currency: textless } })],
  [
    "elicitationId",
    { id: 1, method: "elicitation/create", params: { mode: "url", elicitationId: textless, url: textless } },
  ],
  [
    "type in a form",
    {
      id: 1,
      method: "elicitation/create",
      params: { mode: "form", requestedSchema: { type: "object", properties: { a: { type: textless } } } },
    },
  ],
  ["code of an error", { id: 2, error: { code: textless, message: textless } }],
  ["terminal that is released", { id: 1, method: "terminal/release", params: { terminalId: textless } }],
  ["id", { id: textless, method: "terminal/create", params: { cwd: textless } }],
])("a watch reads a message whose %s can't be converted to a string", (_, message) => {
  expect(() =>
    broken((client, agent) => {
      client(prompt(2));
      agent(message);
      agent(message);
    }),
  ).not.toThrow();
});
