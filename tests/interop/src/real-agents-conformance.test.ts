import type { Prompts } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { describe, expect, it } from "vitest";
import { realAgents, startModel } from "./peers/real-agents.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: the conformance of real agents, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

/** The prompts that the fake model understands. */
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

/** Scenarios in which these agents once failed, rightly or wrongly. Running all scenarios would take many minutes. */
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

/** The faults of the agents, each checked by hand, and the reason: `docs/conformance-report.md`. */
const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  opencode: {
    "CAP-14": "It sends fs/write_text_file to a client that does not advertise it.",
    "TOOL-15": "The locations of its tool calls are relative paths.",
  },
  claude: {
    "TOOL-12": "It reports the path of a diff as the model wrote it, also a relative one.",
    "TOOL-15": "It reports the path of a location as the model wrote it, also a relative one.",
  },
  gemini: {
    "RPC-04":
      "After an empty prompt, it responds to no further prompt of the session, although it answers the same prompt otherwise.",
    "SESS-14": "It advertises loadSession, and loads no session of another process.",
  },
};

describe.each(agents)("$name", (agent) => {
  it("has exactly the faults that are listed for it", { timeout: 900_000 }, async () => {
    const model = await startModel();
    const place = agent.prepare(model.url);
    const { command, args = [], env = {}, cwd = place.cwd } = place.spawn;
    try {
      const report = await testAgent({
        protocol: 1,
        agent: { command, args, env, cwd },
        directory: place.cwd,
        prompts,
        only,
        turnTimeoutMs: 45_000,
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
      const known = Object.keys(faults[agent.name] ?? {});
      expect(accused.filter((fault) => !fault.rules.some((rule) => known.includes(rule)))).toEqual([]);
    } finally {
      place.remove();
      model.close();
    }
  });
});
