import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConformanceReport, promptPresets } from "@acp-kit/conformance";
import { testAgent, testClient } from "@acp-kit/conformance/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everythingBehind } from "./agent/everything.js";
import { ourClient } from "./client/our-client.js";
import type { MakeMutation } from "./wire/mutation.js";
import { alter, answer, call, failed, result, together } from "./wire/operators.js";

let cwd = "";
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-faults-")));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const agent = (mutation: MakeMutation, only: readonly string[]): Promise<ConformanceReport> =>
  testAgent({
    protocol: 1,
    agent: everythingBehind(mutation),
    prompts: promptPresets.everything,
    only,
    jobs: 4,
    confirm: false,
    quietMs: 15,
  });

test("an agent that refuses to initialize without clientInfo has one fault, although it breaks several rules", async () => {
  const mutation = answer((message) => message.method === "initialize" && !("clientInfo" in message.params), failed);
  const report = await agent(mutation, ["initialize/"]);
  console.log(JSON.stringify(report.faults.map(({ rules, scenarios, weight }) => ({ rules, scenarios, weight }))));
  expect(report.faults).toHaveLength(1);
});

test("an agent whose turns end without a stop reason has one fault", async () => {
  const mutation = alter(result("session/prompt"), (message) => delete message.result.stopReason);
  const report = await agent(mutation, ["prompt/", "cancel/", "watch/schema/stop-reason"]);
  console.log(JSON.stringify(report.faults.map(({ rules, scenarios, weight }) => ({ rules, scenarios, weight }))));
  expect(report.faults).toHaveLength(1);
});

test("a client with a mock terminal has one fault", async () => {
  const mutation = together(
    answer(call("terminal/create"), { result: { terminalId: "mock" } }),
    answer(call("terminal/output"), { result: { output: "", truncated: false } }),
    answer(call("terminal/wait_for_exit"), { result: { exitCode: 0 } }),
    answer(call("terminal/kill"), { result: {} }),
    answer(call("terminal/release"), { result: {} }),
  );
  const report = await testClient({
    protocol: 1,
    client: ourClient({ cwd, permissionMs: 100, mutation }),
    only: ["terminals/"],
    jobs: 4,
    confirm: false,
    stepTimeoutMs: 1_000,
    quietMs: 20,
  });
  console.log(JSON.stringify(report.faults.map(({ rules, scenarios, weight }) => ({ rules, scenarios, weight }))));
  expect(report.faults).toHaveLength(1);
});
