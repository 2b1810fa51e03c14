import { expect, test } from "vitest";
import { startRightAgent } from "../../../test/in-process.js";
import { launchVersion2Client } from "../../../test/launch-version-2-client.js";
import {
  type Message,
  startVersion2Agent,
  type Version2AgentOptions,
  type Version2Mistake,
} from "../../../test/version-2-agent.js";
import { weighs } from "../../heaviest-tier.js";
import { testClient } from "../../node/client/test-client.js";
import { testAgent } from "../../node/test-agent.js";
import type { ConformanceReport } from "../../report/report.js";
import { reportText } from "../../report/report-text.js";
import { tierOf } from "../../requirements/tier.js";
import type { PeerProcess } from "../../wire/peer-process.js";
import { version2AgentWatches, version2Scenarios } from "./agent.js";
import { version2ClientScenarios, version2ClientWatches } from "./client.js";
import { version2Rules } from "./rules.js";

const prompts = {
  text: "hello",
  long: "/long",
  edit: "/edit {path}",
  plan: "/plan",
  tools: "/tools",
  terminal: "/terminal",
  form: "/form",
  error: "/error",
};

function judge(
  agent: () => Promise<PeerProcess>,
  protocol: 2 | "auto" = 2,
  more: object = {},
): Promise<ConformanceReport> {
  return testAgent({
    agent,
    protocol,
    prompts,
    jobs: 4,
    confirm: false,
    requestTimeoutMs: 20_000,
    turnTimeoutMs: 20_000,
    quietMs: 15,
    ...more,
  });
}

const judgeClient = (options: Parameters<typeof launchVersion2Client>[0]): Promise<ConformanceReport> =>
  testClient({
    client: launchVersion2Client(options),
    protocol: 2,
    jobs: 4,
    confirm: false,
    stepTimeoutMs: 15_000,
    quietMs: 15,
  });

const ids = ({ requirements }: ConformanceReport, status: string): readonly string[] =>
  requirements.filter((each) => each.status === status).map(({ id }) => id);

test("V2-REQ-36: all 50 rules are advice, and each has a remedy and a check of every peer that it binds", () => {
  expect(version2Rules.map(({ id }) => id)).toEqual(
    version2Rules.map((_, index) => `V2-${String(index + 1).padStart(2, "0")}`),
  );
  expect(version2Rules).toHaveLength(50);
  expect(version2Rules.filter((rule) => weighs(tierOf(rule)) || !rule.remedy)).toEqual([]);
  const verified = {
    agent: new Set([...version2Scenarios, ...version2AgentWatches].flatMap(({ verifies }) => verifies)),
    client: new Set([...version2ClientScenarios, ...version2ClientWatches].flatMap(({ verifies }) => verifies)),
  };
  for (const { id, binds, untested } of version2Rules) {
    for (const role of ["agent", "client"] as const) {
      if (binds !== role && binds !== "both") continue;
      expect(verified[role].has(id), `${id} for ${role}s`).toBe(untested?.[role] === undefined);
    }
  }
});

test("V2-REQ-36: an agent of version 2 breaks no rule, and its messages pass every watch", async () => {
  const report = await judge(() => startVersion2Agent());
  expect(report.scenarios.filter(({ verdict }) => verdict.status === "failed")).toEqual([]);
  const noPrompt = Object.keys(prompts);
  expect(
    report.scenarios.filter(
      ({ id, verdict }) => verdict.status !== "passed" && noPrompt.some((purpose) => id.endsWith(`/${purpose}`)),
    ),
  ).toEqual([]);
  const checked = version2Rules.filter(({ id, binds }) => binds !== "client" && id !== "V2-32").map(({ id }) => id);
  expect(checked.filter((id) => !ids(report, "passed").includes(id))).toEqual([]);
  expect(reportText(report)).toContain("of protocol version 2,");
});

test("by default, the versions are tested that the agent speaks", async () => {
  const only = ["version-2/turn", "prompt/text"];
  const second = await judge(() => startVersion2Agent(undefined, { only2: true }), "auto", { only });
  expect(second.made.versions).toEqual([2]);
  expect(second.scenarios.map(({ id }) => id)).toContain("version-2/turn");
  const store = new Map();
  const first = await judge(() => startRightAgent(store), "auto", { only });
  expect(first.made.versions).toEqual([1]);
  expect(first.scenarios.map(({ id }) => id)).not.toContain("version-2/turn");
  const both = await judge(() => startVersion2Agent(), "auto", { only: ["version-2/batch"] });
  expect(both.made.versions).toEqual([1, 2]);
});

test("an agent that does not speak version 2 is inconclusive if only version 2 is tested", async () => {
  const report = await judge(() => startRightAgent(new Map()), 2, { only: ["version-2/batch"] });
  expect(report).toMatchObject({
    verdict: "inconclusive",
    reasons: expect.arrayContaining([expect.stringMatching(/does not speak version 2/)]),
  });
});

/** Changes the response to a request: to `outcome`, or by a function. */
const responds =
  (method: string, outcome: Message, when: (params: Message) => boolean = () => true): Version2Mistake =>
  (message, request) =>
    request?.method === method && when(request.params)
      ? [
          typeof outcome === "function"
            ? { ...message, result: outcome(message.result) }
            : { id: message.id, ...outcome },
        ]
      : [message];
const updates =
  (tag: RegExp, change: (update: Message) => readonly unknown[]): Version2Mistake =>
  (message) => {
    const { update, sessionId } = message.params ?? {};
    return tag.test(update?.sessionUpdate)
      ? change(update).map((each) => ({ ...message, params: { sessionId, update: each } }))
      : [message];
  };
const stateIs = (state: string, change: (update: Message) => readonly unknown[]): Version2Mistake =>
  updates(/^state_update$/, (update) => (update.state === state ? change(update) : [update]));
const paramsOf =
  (method: string, change: (params: Message) => unknown): Version2Mistake =>
  (message) =>
    message.method === method ? [{ ...message, params: change(message.params) }] : [message];
/** Sends these updates in addition to the agent's output. */
const alsoSends = (...more: readonly Message[]): Version2Mistake =>
  updates(/^agent_message_chunk$/, (update) => [...more, update]);
const without =
  (name: string) =>
  ({ [name]: _, ...rest }: Message): Message =>
    rest;
const ok = { result: {} };
const internal = { error: { code: -32_603, message: "No" } };
const noMethod = { error: { code: -32_601, message: "No" } };

/** Limits for work that never ends. */
const impatient = {
  only: ["version-2/turn"],
  turnTimeoutMs: 2_000,
  requestTimeoutMs: 2_000,
  lateResponseTimeoutMs: 1_000,
};

interface WrongAgent extends Version2AgentOptions {
  /** Its work does not end. */
  readonly hangs?: boolean;
  readonly does: string;
  readonly mistake?: Version2Mistake;
  /** Further rules that the same mistake breaks. */
  readonly also?: readonly string[];
}

/** Agents that break one rule each, by the rule. */
const wrongAgents: Readonly<Record<string, WrongAgent>> = {
  "V2-01": {
    does: "refuses newer versions",
    mistake: responds("initialize", internal, ({ protocolVersion }) => protocolVersion > 2),
  },
  "V2-02": {
    does: "responds to version 0 with version 2",
    mistake: responds("initialize", { result: { protocolVersion: 1 } }, ({ protocolVersion }) => protocolVersion < 1),
  },
  "V2-04": {
    does: "has no version of its own",
    mistake: responds("initialize", (result: Message) => result && { ...result, info: { name: "agent-2" } }),
  },
  "V2-05": {
    does: "has markers that are booleans",
    mistake: responds("initialize", (result: Message) => ({ ...result, capabilities: { session: { delete: true } } })),
  },
  "V2-06": {
    does: "has no session/close",
    mistake: responds("session/close", noMethod, ({ sessionId }) => !sessionId.startsWith("conformance")),
  },
  "V2-07": { does: "has no login", mistake: responds("auth/login", noMethod) },
  "V2-09": {
    does: "names login methods by id",
    mistake: responds("initialize", (result: Message) => ({ ...result, authMethods: [{ id: "a", name: "A" }] })),
  },
  "V2-10": {
    does: "requests with the id null",
    mistake: (message) => (message.method && message.id ? [message, { ...message, id: null }] : [message]),
  },
  "V2-11": {
    does: "reports two errors for a batch",
    mistake: (message) => (message.id === null ? [message, message] : [message]),
  },
  "V2-12": {
    does: "has another error for unknown sessions",
    mistake: (message) => (message.error?.code === -32_002 ? [{ ...message, ...internal }] : [message]),
  },
  "V2-13": {
    does: "serves before initialize",
    mistake: (message) => (message.error?.code === -32_600 && message.id ? [{ id: message.id, ...ok }] : [message]),
  },
  "V2-14": { does: "sends an update of its own without an underscore", mistake: alsoSends({ sessionUpdate: "mood" }) },
  "V2-16": {
    does: "takes any MCP server",
    mistake: responds("session/new", { result: { sessionId: "s" } }, ({ mcpServers }) => mcpServers?.length > 0),
  },
  "V2-17": {
    does: "replays without a cursor",
    mistake: (message, request) =>
      request?.method === "session/resume" && !request.params.replayFrom
        ? [
            {
              method: "session/update",
              params: {
                sessionId: request.params.sessionId,
                update: { sessionUpdate: "user_message", messageId: "message-0", content: [] },
              },
            },
            message,
          ]
        : [message],
  },
  "V2-18": {
    does: "ignores unknown cursors",
    mistake: responds("session/resume", ok, ({ replayFrom }) => replayFrom?.type === "_conformance"),
    also: ["V2-19"],
  },
  "V2-19": {
    does: "sends no state before the response to session/resume",
    mistake: (message) =>
      message.params?.update?.state === "idle" && !message.params.update.stopReason ? [] : [message],
  },
  "V2-20": {
    does: "replays without ids",
    mistake: (() => {
      const sent = new Set<string>();
      return updates(/^user_message$/, (update) => {
        const isReplay = sent.has(update.messageId);
        sent.add(update.messageId);
        return [isReplay ? without("messageId")(update) : update];
      });
    })(),
  },
  "V2-21": { does: "has no id for prompts", mistake: responds("session/prompt", (result: Message) => result && {}) },
  "V2-22": { does: "does not report the user's message", mistake: updates(/^user_message$/, () => []) },
  "V2-23": {
    does: "never becomes idle",
    hangs: true,
    mistake: stateIs("idle", (update) => (["end_turn", "error"].includes(update.stopReason) ? [] : [update])),
  },
  "V2-24": {
    does: "has no stop reason",
    mistake: stateIs("idle", (update) => [update.stopReason === "end_turn" ? without("stopReason")(update) : update]),
  },
  "V2-25": {
    does: "reports a failure after the user's message as an error response",
    mistake: responds("session/prompt", internal, ({ prompt }) => prompt[0].text === "/error"),
  },
  "V2-27": {
    does: "ignores unknown content blocks",
    mistake: responds("session/prompt", { result: { messageId: "m" } }, ({ prompt }) => prompt[0].type !== "text"),
  },
  "V2-28": {
    does: "ends cancelled work with end_turn",
    mistake: stateIs("idle", (update) => [
      { ...update, ...(update.stopReason === "cancelled" && { stopReason: "end_turn" }) },
    ]),
  },
  "V2-29": {
    does: "ends cancelled work with error",
    mistake: stateIs("idle", (update) => [
      { ...update, ...(update.stopReason === "cancelled" && { stopReason: "error" }) },
    ]),
  },
  "V2-31": {
    does: "has chunks without ids",
    mistake: stateIs("idle", (update) =>
      update.stopReason === "end_turn"
        ? [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } }, update]
        : [update],
    ),
  },
  "V2-33": {
    does: "has tool calls without ids",
    mistake: alsoSends({ sessionUpdate: "tool_call_update", title: "Read" }),
  },
  "V2-34": { does: "sends plans of version 1", mistake: alsoSends({ sessionUpdate: "plan", entries: [] }) },
  "V2-35": {
    does: "reads a file of the client",
    mistake: (message, request) =>
      request?.method === "session/prompt"
        ? [message, { id: "file", method: "fs/read_text_file", params: { path: "/tmp/file" } }]
        : [message],
  },
  "V2-37": {
    does: "cancels what does not exist",
    mistake: responds("tool_call/cancel", ok),
  },
  "V2-38": {
    does: "has relative paths",
    mistake: alsoSends({ sessionUpdate: "tool_call_update", toolCallId: "call", locations: [{ path: "a.txt" }] }),
  },
  "V2-39": {
    does: "splits base64",
    mistake: updates(/^terminal_output_chunk$/, (update) => [{ ...update, data: "aGk" }]),
  },
  "V2-40": { does: "asks without a title", mistake: paramsOf("session/request_permission", without("title")) },
  "V2-41": {
    does: "takes any option as an approval",
    reads: (response) => (response.result?.outcome ? { result: { outcome: { optionId: "yes" } } } : response),
  },
  "V2-42": {
    does: "has plans without ids",
    mistake: alsoSends({ sessionUpdate: "plan_update", plan: { type: "items", entries: [] } }),
  },
  "V2-43": {
    does: "has an option whose value is not offered",
    mistake: responds(
      "session/new",
      (result: Message) => ({
        ...result,
        configOptions: [{ configId: "a", type: "select", name: "A", currentValue: "b", options: [] }],
      }),
      ({ mcpServers }) => mcpServers === undefined,
    ),
  },
  "V2-45": { does: "takes any option", mistake: responds("session/set_config_option", ok) },
  "V2-46": {
    does: "has a command with a slash",
    mistake: alsoSends({
      sessionUpdate: "available_commands_update",
      availableCommands: [{ type: "command", name: "/plan", description: "Plans" }],
    }),
  },
  "V2-47": {
    does: "has a form for two scopes",
    mistake: paramsOf("elicitation/create", (all) => ({ ...all, requestId: 1 })),
  },
  "V2-48": {
    does: "fails on unknown actions",
    reads: (response) => (response.result?.action?.startsWith("_") ? { result: { action: "crash" } } : response),
  },
  "V2-49": {
    does: "ignores the filter of session/list",
    mistake: responds(
      "session/list",
      { result: { sessions: [{ sessionId: "s", cwd: "/other" }] } },
      ({ cwd }) => cwd !== undefined,
    ),
  },
  "V2-50": {
    does: "has an error for the close of unknown sessions",
    mistake: responds("session/close", internal, ({ sessionId }) => sessionId.startsWith("conformance")),
  },
};

test.concurrent.for(Object.entries(wrongAgents))(
  "V2-REQ-36: an agent breaks %s, and only this rule",
  async ([rule, { mistake, also = [], hangs, ...options }], { expect }) => {
    const report = await judge(() => startVersion2Agent(mistake, options), 2, hangs ? impatient : {});
    expect(ids(report, "failed")).toEqual([rule, ...also].sort());
    expect(report.counts.faults).toBe(0);
  },
);

test("conformance.each-version: each rule for agents has an agent that breaks it (V2-REQ-36)", () => {
  const binding = version2Rules.filter(({ binds, untested }) => binds !== "client" && untested?.agent === undefined);
  expect(Object.keys(wrongAgents).sort()).toEqual(binding.map(({ id }) => id));
});

test("an agent of version 2 whose work takes longer than the limit is inconclusive, because it ends the cancelled work", async () => {
  const report = await judge(() => startVersion2Agent(undefined, { worksUntilCancelled: true }), 2, impatient);
  expect(ids(report, "failed")).toEqual([]);
  expect(report.scenarios.find(({ id }) => id === "version-2/turn")?.verdict).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("--turn-timeout"),
  });
});

const clientRules = version2Rules.filter(({ binds }) => binds !== "agent").map(({ id }) => id);

test("V2-REQ-36: a client of version 2 breaks no rule", async () => {
  const report = await judgeClient({});
  expect(report.scenarios.filter(({ verdict }) => verdict.status === "failed")).toEqual([]);
  const neverUsed = ["V2-08", "V2-36"]; // it neither logs in nor cancels calls
  expect(clientRules.filter((id) => !ids(report, "passed").includes(id))).toEqual(neverUsed);
  expect(report.made.versions).toEqual([2]);
});

test.concurrent.for(clientRules)("V2-REQ-36: a client breaks %s, and only this rule", async (rule, { expect }) => {
  const report = await judgeClient({ breaks: rule });
  expect(ids(report, "failed")).toEqual([rule]);
  expect(report.counts.faults).toBe(0);
});

test("a client that ends at an unknown update breaks V2-14", async () => {
  expect(ids(await judgeClient({ breaks: "unknown-update" }), "failed")).toEqual(["V2-14"]);
});

test("by default, the versions are tested that the client requests", async () => {
  const run = async (options: Parameters<typeof launchVersion2Client>[0]): Promise<ConformanceReport> =>
    testClient({ client: launchVersion2Client(options), only: ["version-2/turn", "opening/stdio"], confirm: false });
  expect((await run({})).made.versions).toEqual([1, 2]);
  const second = await run({ only2: true });
  expect(second.made.versions).toEqual([2]);
  expect(second.scenarios.find(({ id }) => id === "version-2/turn")?.verdict.status).toBe("passed");
});
