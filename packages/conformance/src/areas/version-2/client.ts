import type { AgentSetup } from "../../client/agent-setup.js";
import { clientScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import type { Turn } from "../../client/turn.js";
import type { Scenario, Watch } from "../../scenario.js";
import { isObject, type Json, member } from "../../wire/values.js";
import { leaves } from "../initialize/client.js";
import { version2Watches } from "./watches.js";

const info = { name: "acp-kit-conformance", version: "1" };
const configOptions = [
  {
    configId: "mode",
    type: "select",
    name: "Mode",
    category: "mode",
    currentValue: "ask",
    options: [
      { value: "ask", name: "Ask" },
      { value: "code", name: "Code" },
    ],
  },
];
const ask = {
  title: "Run the tests",
  subject: { type: "tool_call", toolCall: { toolCallId: "call-1", title: "npm test" } },
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ],
};

/** The scripted agent of version 2. */
export const version2Agent: AgentSetup = {
  initialized: { protocolVersion: 2, info, capabilities: { session: { mcp: { stdio: {} } } } },
  session: { configOptions },
  handlers: {
    "session/list": () => ({ sessions: [] }),
    "session/resume": (call, agent) => {
      const sessionId = member(call.params, "sessionId");
      agent.notify("session/update", { sessionId, update: { sessionUpdate: "state_update", state: "idle" } });
      return { configOptions };
    },
    "session/close": () => ({}),
    "session/set_config_option": () => ({ configOptions }),
  },
};

/** Creates a scenario with a turn in version 2. Skips it if the client does not continue in version 2. */
function inTurn(
  name: string,
  rule: string,
  title: string,
  run: (turn: Turn, context: ClientScenarioContext) => Promise<void>,
): Scenario<ClientScenarioContext> {
  return clientScenario(`version-2/${name}`, [rule], {
    title,
    async run(context) {
      if (Number(context.facts.initialize?.protocolVersion) < 2) context.skip("The client does not request version 2.");
      const turn = await context.turn(version2Agent);
      turn.insert();
      await run(turn, context);
    },
  });
}

/** Creates a scenario in which the client survives these updates of a turn. */
function survives(
  name: string,
  rule: string,
  title: string,
  updates: readonly Json[],
): Scenario<ClientScenarioContext> {
  return inTurn(name, rule, title, async (turn, context) => {
    for (const update of updates) turn.update(update);
    await context.survived(turn, rule, `${updates.length} updates: ${title}`);
  });
}

const text = (words: string): Json => ({ type: "text", text: words });
const bytes = (data: string): Json => ({ sessionUpdate: "terminal_output_chunk", terminalId: "terminal-1", data });

/** The scenarios of version 2 for clients. Watches check the other rules in the dialogues of these scenarios. */
export const version2ClientScenarios: readonly Scenario<ClientScenarioContext>[] = [
  leaves("version-2/unknown-version", "The client leaves an agent that responds with version 3", "V2-03", 3),
  survives("turn", "V2-32", "The client runs a turn", [
    { sessionUpdate: "tool_call_update", toolCallId: "call-1", title: "npm test", capabilities: { cancel: {} } },
    { sessionUpdate: "agent_message_chunk", messageId: "reply", content: text("Hello.") },
    { sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "completed", capabilities: null },
  ]),
  survives("upserts", "V2-32", "The client applies omitted members, `null` and whole values", [
    { sessionUpdate: "agent_message", messageId: "reply", content: [text("one")] },
    { sessionUpdate: "agent_message_chunk", messageId: "reply", content: text(", two") },
    { sessionUpdate: "agent_message", messageId: "reply" },
    { sessionUpdate: "agent_message", messageId: "reply", content: null },
    { sessionUpdate: "tool_call_update", toolCallId: "call-1" },
    { sessionUpdate: "tool_call_update", toolCallId: "call-1", title: null, kind: null, status: null, content: null },
    { sessionUpdate: "session_info_update", title: null },
  ]),
  survives("terminal-bytes", "V2-39", "The client decodes each chunk of a terminal by itself", [
    { sessionUpdate: "terminal_update", terminalId: "terminal-1", command: "echo €" },
    bytes("4g=="),
    bytes("gqw="),
    { sessionUpdate: "terminal_update", terminalId: "terminal-1", output: { data: "" }, exitStatus: { exitCode: 0 } },
  ]),
  survives("unknown-variants", "V2-14", "The client keeps unknown updates, states and contents apart from known ones", [
    { sessionUpdate: "future_update", value: 1 },
    { sessionUpdate: "_acp-kit.test", value: 1 },
    { sessionUpdate: "state_update", state: "dreaming" },
    { sessionUpdate: "agent_message", messageId: "reply", content: [{ type: "smell" }] },
    { sessionUpdate: "plan_update", plan: { type: "graph", planId: "main" } },
  ]),
  inTurn("batch", "V2-11", "The client responds to a batch with one -32600 without an id", async (turn, context) => {
    const batch = [{ jsonrpc: "2.0", id: "in-a-batch", method: "_acp-kit.test/in-a-batch", params: {} }];
    turn.agent.wire.sendText(`${JSON.stringify(batch)}\n`, "a batch");
    await turn.checkAlive("a batch");
    const responses = turn.agent.log.entries.filter(
      (entry) =>
        "message" in entry &&
        entry.from === "client" &&
        member(entry.message, "id") === null &&
        member(entry.message, "error", "code") === -32_600,
    );
    if (responses.length === 1) return;
    context.note("V2-11", { sent: "an array with one request", received: `${responses.length} errors without an id` });
  }),
  inTurn(
    "cancelled-permission",
    "V2-30",
    "A permission request that the agent cancels gets the outcome cancelled",
    async (turn, context) => {
      const response = turn.tryRequest("session/request_permission", ask, "cancelled-permission");
      turn.agent.notify("$/cancel_request", { requestId: "cancelled-permission" });
      const { result, error } = (await response) ?? {};
      if (isObject(result) && member(result, "outcome", "outcome") === "selected")
        context.skip("The client decides at once, so that no permission request stays open.");
      if (member(result, "outcome", "outcome") === "cancelled") return;
      context.fail("V2-30", {
        sent: "`$/cancel_request` for an open permission request",
        received: result === undefined && error === undefined ? "no response" : { result, error },
      });
    },
  ),
];

/** The watches of version 2 for clients. */
export const version2ClientWatches: readonly Watch[] = version2Watches("client");
