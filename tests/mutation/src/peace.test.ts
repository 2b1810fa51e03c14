import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConformanceReport, promptPresets } from "@acp-kit/conformance";
import { testAgent, testClient } from "@acp-kit/conformance/node";
import { afterAll, beforeAll, test } from "vitest";
import { everythingBehind } from "./agent/everything.js";
import { ourClient } from "./client/our-client.js";
import { type ClientHabit, clientHabits } from "./peace/client-habits.js";
import { habits } from "./peace/habits.js";

let cwd = "";
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-peace-")));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** In milliseconds. Each test runs nearly all scenarios, which is slow on a busy machine. */
const timeout = 240_000;

/** The faults that make a peer not conformant. */
const accusations = ({ faults }: ConformanceReport): unknown[] =>
  faults
    .filter(({ weight }) => weight === "mandatory" || weight === "capability")
    .map(({ rules, finding }) => ({ rules, finding }));

test.concurrent.for(habits)(
  "the kit finds no fault in an agent that $habit",
  { timeout },
  async ({ mutation }, { expect }) => {
    const report = await testAgent({
      protocol: 1,
      agent: everythingBehind(mutation),
      prompts: promptPresets.everything,
      skip: ["session/mcp-server", "transport/big-message"], // costly, and a habit makes no difference there
      jobs: 16,
      confirm: false, // one false accusation is enough to fail the test
      lateResponseTimeoutMs: 1_000,
      quietMs: 15,
      exitGraceMs: 1_000,
    });
    expect(accusations(report)).toEqual([]);
    expect(report.verdict).toBe("conformant");
  },
);

/** They are slow, and most habits make no difference for them. */
const slowOnes = ["terminals/", "messages/long"];

const ofClients: readonly ClientHabit[] = [...habits, ...clientHabits];

test.concurrent.for(ofClients)(
  "the kit finds no fault in a client that $habit",
  { timeout },
  async (
    { mutation, options, verdict = "conformant", reason, passes = [], skip = slowOnes, stepTimeoutMs = 15_000 },
    { expect },
  ) => {
    const report = await testClient({
      protocol: 1,
      client: ourClient({ cwd, permissionMs: 100, ...(mutation && { mutation }), ...options }),
      cancelStdin: "cancel",
      skip,
      jobs: 16,
      confirm: false,
      stepTimeoutMs,
      quietMs: 20,
    });
    expect(accusations(report)).toEqual([]);
    expect(report.verdict).toBe(verdict);
    if (reason !== undefined) expect(report.reasons.join(" ")).toContain(reason);
    const saved = report.scenarios.filter(({ id }) => id === "opening/load" || id === "opening/resume");
    const passed = saved.filter(({ verdict }) => verdict.status === "passed").map(({ id }) => id);
    const calls = report.subject.calls?.filter((method) => method === "session/load" || method === "session/resume");
    expect(calls).toEqual(passes.map((id) => id.replace("opening", "session")));
    expect([passed, saved.filter(({ verdict }) => verdict.status === "failed")]).toEqual([passes, []]);
  },
);
