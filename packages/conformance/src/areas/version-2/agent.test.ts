import { expect, test } from "vitest";
import { type DraftMistake, startDraftAgent } from "../../../test/draft-agent.js";
import { startRightAgent } from "../../../test/in-process.js";
import { weighs } from "../../heaviest-tier.js";
import { testAgent } from "../../node/test-agent.js";
import type { ConformanceReport } from "../../report/report.js";
import { tierOf } from "../../requirements/tier.js";
import type { PeerProcess } from "../../wire/peer-process.js";
import { draftScenarios } from "./agent.js";
import { draftRequirements } from "./rules.js";

function judge(agent: () => Promise<PeerProcess>): Promise<ConformanceReport> {
  return testAgent({
    agent,
    draft: true,
    only: ["draft/"],
    prompts: { text: "hello" },
    jobs: 4,
    confirm: false,
    answerMs: 1_000,
    turnMs: 500,
    graceMs: 200,
    quietMs: 15,
  });
}

const brokenIn = ({ requirements }: ConformanceReport): readonly string[] =>
  requirements.filter(({ status }) => status === "failed").map(({ id }) => id);

test("all rules of the draft are advice", () => {
  expect(draftRequirements.map(({ id }) => id)).toEqual(
    draftRequirements.map((_, index) => `V2-${String(index + 1).padStart(2, "0")}`),
  );
  expect(draftRequirements.filter((rule) => weighs(tierOf(rule)))).toEqual([]);
});

test("an agent of version 2 passes every draft scenario; an agent of version 1 skips them", async () => {
  const draft = await judge(() => startDraftAgent());
  expect(draft.scenarios.map(({ id, verdict }) => [id, verdict.status])).toEqual(
    draftScenarios.map(({ id }) => [id, "passed"]),
  );
  const store = new Map();
  const first = await judge(() => startRightAgent(store));
  expect(new Set(first.scenarios.map(({ verdict }) => verdict.status))).toEqual(new Set(["skipped"]));
});

/** Changes the results that have this member. */
const results =
  (name: string, change: (result: Record<string, unknown>) => unknown): DraftMistake =>
  (message) =>
    message.result?.[name] === undefined ? [message] : [{ ...message, result: change(message.result) }];
/** Changes the errors with this code. */
const errors =
  (code: number, outcome: object): DraftMistake =>
  ({ error, ...message }) =>
    error?.code === code ? [{ ...message, ...outcome }] : [error ? { ...message, error } : message];
const updates =
  (tag: string, change: (update: Record<string, unknown>) => readonly unknown[]): DraftMistake =>
  (message) => {
    const { update, sessionId } = message.params ?? {};
    return update?.sessionUpdate === tag
      ? change(update).map((each) => ({ ...message, params: { sessionId, update: each } }))
      : [message];
  };
const internal = { error: { code: -32_603, message: "No" } };

const mistakes: readonly (readonly [does: string, mistake: DraftMistake, rules: readonly string[]])[] = [
  ["leaves info out", results("info", ({ info: _, ...rest }) => rest), ["V2-04"]],
  [
    "has markers that are booleans",
    results("info", (result) => ({ ...result, capabilities: { session: { delete: true } } })),
    ["V2-05"],
  ],
  [
    "names login methods by id",
    results("authMethods", (result) => ({ ...result, authMethods: [{ id: "token", name: "Token" }] })),
    ["V2-09"],
  ],
  ["has no error for unknown versions", errors(-32_022, { result: { protocolVersion: 2 } }), ["V2-02"]],
  ["serves before initialize", errors(-32_600, { result: { sessions: [] } }), ["V2-11", "V2-13"]],
  ["has another error for unknown sessions", errors(-32_002, internal), ["V2-12"]],
  [
    "has no session/list",
    ({ result, ...message }) =>
      result?.sessions
        ? [{ ...message, error: { code: -32_601, message: "No" } }]
        : [{ ...message, ...(result && { result }) }],
    ["V2-06"],
  ],
  ["has no login", errors(-32_602, { error: { code: -32_601, message: "No" } }), ["V2-07", "V2-16", "V2-18"]],
  ["has no id for prompts", results("messageId", () => ({})), ["V2-21"]],
  ["does not report the user's message", updates("user_message", () => []), ["V2-22"]],
  ["never becomes idle", updates("state_update", (update) => (update.state === "idle" ? [] : [update])), ["V2-23"]],
  ["has chunks without ids", updates("agent_message_chunk", ({ messageId: _, ...rest }) => [rest]), ["V2-31"]],
  [
    "sends plans of version 1",
    updates("agent_message_chunk", (chunk) => [chunk, { sessionUpdate: "plan", entries: [] }]),
    ["V2-34"],
  ],
];

test.concurrent.for(mistakes)(
  "an agent of version 2 that %s gets advice and is conformant",
  async ([, mistake, rules], { expect }) => {
    const report = await judge(() => startDraftAgent(mistake));
    expect(brokenIn(report)).toEqual(rules);
    expect(report.counts.faults).toBe(0);
  },
);

test("an agent of version 2 whose work takes longer than the limit is inconclusive, because it ends the cancelled work", async () => {
  const report = await judge(() => startDraftAgent(undefined, { worksUntilCancelled: true }));
  expect(brokenIn(report)).toEqual([]);
  expect(report.scenarios.find(({ id }) => id === "draft/turn")?.verdict).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("--turn-timeout"),
  });
});
