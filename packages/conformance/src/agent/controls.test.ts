import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import { legalAgents } from "../../test/legal-agents.js";
import type { Message, Mutation } from "../../test/right-agent.js";
import { testAgent } from "../node/test-agent.js";
import { agentScenarios } from "./agent-checks.js";
import { promptPresets } from "./prompt-purposes.js";

/** An agent that refuses every request with this method. */
const refuses = (method: string, error: Message): Mutation => ({
  receive(message, agent) {
    if (message.method !== method) return false;
    agent.send({ jsonrpc: "2.0", id: message.id, error });
    return true;
  },
});

const failure = { code: -32603, message: "It fails, whatever is sent" };

/** Agents that fail in the same way without the part that a scenario tests. */
const cases: readonly (readonly [scenario: string, mutation: Mutation])[] = [
  ["capabilities/login", refuses("authenticate", failure)],
  ["capabilities/logout", refuses("session/new", failure)],
  ["initialize/before-anything-else", refuses("session/new", failure)],
  ["modes/unknown", refuses("session/set_mode", failure)],
  ["options/unknown", refuses("session/set_config_option", failure)],
  ["prompt/advertised-blocks", refuses("session/prompt", { code: -32602, message: "No model is chosen" })],
  ["session/close-running", refuses("session/close", failure)],
];

test.concurrent.for(cases)(
  "conformance.accuses-no-legal-peer: %s is inconclusive if the agent also fails without the unusual part",
  async ([scenario, mutation], { expect }) => {
    const store = new Map();
    const report = await testAgent({
      agent: () => startRightAgent(store, mutation),
      prompts: promptPresets.everything,
      authMethod: "token",
      only: [scenario],
      confirm: false,
      quietMs: 15,
    });
    const { verdict } = report.scenarios.find(({ id }) => id === scenario) ?? {};
    expect(verdict).toMatchObject({ status: "inconclusive" });
  },
);

test("conformance.accuses-no-legal-peer: an agent with one session at a time gets no advice about other params", async () => {
  const { mutation } = legalAgents.find(({ habit }) => habit === "has one session at a time") ?? {};
  const store = new Map();
  const report = await testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    only: ["session/"],
    skip: ["session/mcp-server"], // it starts a process
    confirm: false,
    quietMs: 15,
  });
  expect(report.faults).toEqual([]);
  expect(report.scenarios.find(({ id }) => id === "session/null-lists")?.verdict.status).toBe("passed");
});

/** Scenarios that send unusual lines, and then requests to which this agent never responds. */
const lines = [
  "json-rpc/not-json",
  "json-rpc/not-a-request",
  "json-rpc/batch",
  "transport/blank-lines",
  "transport/big-message",
];

test.concurrent.for(lines)(
  "%s names RPC-04 for an agent that never responds to unknown methods",
  async (scenario, { expect }) => {
    const store = new Map();
    const report = await testAgent({
      agent: () => startRightAgent(store, { receive: ({ method }) => method?.startsWith("_conformance/") === true }),
      prompts: promptPresets.everything,
      only: [scenario],
      confirm: false,
      requestTimeoutMs: 200,
      lateResponseTimeoutMs: 100,
      quietMs: 15,
    });
    expect(report.faults.map(({ rules }) => rules)).toEqual([["RPC-04"]]);
  },
);

test("conformance.no-model-is-inconclusive: without a model, every scenario that needs a prompt is inconclusive, with the reason", async () => {
  const store = new Map();
  const report = await testAgent({
    agent: () => startRightAgent(store, refuses("session/prompt", { code: -32603, message: "No API key" })),
    prompts: { text: "hello", read: "/read {path}" },
    jobs: 8,
    quietMs: 15,
  });
  const needing = agentScenarios.filter(({ needs = [] }) => needs.some((need) => /^prompt: (?:text|read)$/.test(need)));
  const verdicts = needing.flatMap(({ id }) => report.scenarios.filter((each) => each.id === id));
  expect(verdicts.length).toBeGreaterThan(10);
  const others = verdicts.filter(
    ({ verdict }) => verdict.status !== "inconclusive" || !verdict.reason.includes("No API key"),
  );
  // If a scenario needs a second prompt that has no text, it is skipped, with or without a model.
  expect(others.map(({ id, verdict }) => [id, verdict.status])).toEqual([]);
  const long = report.scenarios.find(({ id }) => id === "cancel/at-once");
  expect(long?.verdict).toMatchObject({ status: "skipped" });
});
