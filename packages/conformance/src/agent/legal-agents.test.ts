import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import { legalAgents } from "../../test/legal-agents.js";
import { weighs } from "../heaviest-tier.js";
import { testAgent } from "../node/test-agent.js";
import { promptPresets } from "./prompt-purposes.js";

/** A process and a message of eight megabytes, in which no habit makes a difference. */
const costly = ["session/mcp-server", "transport/big-message"];

test.concurrent.for(legalAgents)(
  "an agent that $habit is accused of nothing",
  { timeout: 60_000 },
  async ({ mutation, limits, verdict = "conformant", reason }, { expect }) => {
    const store = new Map();
    const report = await testAgent({
      agent: () => startRightAgent(store, mutation),
      prompts: promptPresets.everything,
      skip: costly,
      jobs: 16,
      confirm: false, // one false accusation is enough to fail the test
      initializeTimeoutMs: 5_000,
      requestTimeoutMs: 5_000,
      turnTimeoutMs: 5_000,
      lateResponseTimeoutMs: 1_000,
      quietMs: 15,
      exitGraceMs: 1_000,
      ...limits,
    });
    const accused = report.faults.filter(({ weight }) => weighs(weight));
    expect(accused.map(({ rules, finding }) => ({ rules, finding }))).toEqual([]);
    expect(report.verdict).toBe(verdict);
    // If no session opens or no turn ends, these scenarios do not even give advice.
    const unproven = ["initialize/twice", "json-rpc/errors-end-nothing", "session/load-unknown", "session/unknown"];
    const failed = report.scenarios.filter((scenario) => scenario.verdict.status === "failed").map(({ id }) => id);
    if (reason !== undefined) expect(failed.filter((id) => unproven.includes(id))).toEqual([]);
    if (reason !== undefined) expect(report.reasons[0]).toContain(reason);
  },
);

test("conformance.accuses-no-legal-peer: for every past false accusation there is a legal agent that would show it again", () => {
  const named = legalAgents.map(({ habit }) => habit).join(" ");
  for (const rule of ["TRANS-12", "TOOL-10", "SESS-33", "CFG-18", "CFG-20", "INIT-22", "SESS-17", "CAP-15", "CFG-15"]) {
    expect(named).toContain(rule);
  }
});
