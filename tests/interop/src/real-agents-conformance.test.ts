import type { Prompts } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { describe, expect, it } from "vitest";
import { realAgents, startModel } from "./strangers/real-agents.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: the conformance of real agents, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

/** What the fake model understands. */
const prompts: Prompts = {
  text: "PING",
  long: "SLOW",
  permission: "WRITEFILE {path}",
  edit: "WRITEFILE {path}",
  write: "WRITEFILE {path}",
  read: "READFILE {path}",
  terminal: "RUN echo conformance",
  tools: "READFILE {path}",
  thought: "THINK",
  error: "LLMERROR",
};

/** Scenarios in which these agents were accused, rightly or wrongly. All of the scenarios would take many minutes. */
const only = [
  "initialize/agrees",
  "initialize/unsupported",
  "prompt/text",
  "prompt/empty",
  "prompt/two-sessions",
  "cancel/running-turn",
  "cancel/at-once",
  "session/load",
  "session/cwd",
  "permission/rejected",
  "capabilities/client-with-nothing",
  "watch/",
];

/** The faults that the agents have, each checked by hand: `docs/conformance-report.md`. */
const faults: Readonly<Record<string, readonly string[]>> = {
  opencode: ["CANCEL-07", "CAP-14", "TOOL-15"],
  claude: ["TOOL-12", "TOOL-15"],
  gemini: ["RPC-04", "SESS-14"],
};

describe.each(agents)("$name", (agent) => {
  it("is accused of nothing but the faults that it has", { timeout: 900_000 }, async () => {
    const model = await startModel();
    const place = agent.prepare(model.url);
    const { command, args = [], env = {}, cwd = place.cwd } = place.spawn;
    try {
      const report = await testAgent({
        agent: { command, args, env, cwd },
        directory: place.cwd,
        prompts,
        only,
        turnMs: 45_000,
      });
      const accused = report.faults.filter(({ weight }) => weight === "mandatory" || weight === "capability");
      const rules = report.requirements.filter(({ status }) => status === "failed").map(({ id }) => id);
      console.log(
        agent.name,
        report.verdict,
        report.durationMs,
        rules,
        JSON.stringify(report.reasons),
        JSON.stringify(report.counts),
      );
      const known = faults[agent.name] ?? [];
      expect(accused.filter((fault) => !fault.rules.some((rule) => known.includes(rule)))).toEqual([]);
    } finally {
      place.remove();
      model.close();
    }
  });
});
