import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRightAgent } from "../../../test/in-process.js";
import { launchRawClient } from "../../../test/launch-raw-client.js";
import { mutants, wrongAgents } from "../../../test/wrong-agents.js";
import { wrongClients } from "../../../test/wrong-clients.js";
import { promptPresets } from "../../agent/prompt-purposes.js";
import { playClient } from "../../client/play-client.js";
import { nodeHost } from "../../node/client/node-host.js";
import { testAgent } from "../../node/test-agent.js";
import { buildReport } from "../build-report.js";
import type { ConformanceReport } from "../report.js";
import { reproScript } from "./repro-script.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-faults-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** The rules whose faults have a script. */
const shown = new Set<string>();

/** Faults that no dialogue shows. */
const withoutScript: Readonly<Record<string, string>> = {
  "TRANS-07": "A client that does not read standard error never sends a message: there is nothing to replay.",
};

/** The faults without a script that parses, and the findings that are no sentences. */
function defectsOf(report: ConformanceReport): readonly string[] {
  const scripts = report.faults.flatMap((fault) => {
    const script = reproScript(report, fault);
    if (script === undefined)
      return fault.rules.every((rule) => rule in withoutScript) ? [] : [`${fault.rules.join(", ")}: no script`];
    for (const rule of fault.rules) shown.add(rule);
    const { diagnostics = [] } = ts.transpileModule(script, { reportDiagnostics: true });
    return diagnostics.map(({ messageText }) => `${fault.rules.join(", ")}: ${messageText}`);
  });
  const findings = report.scenarios.flatMap(({ verdict }) => (verdict.status === "failed" ? verdict.findings : []));
  const texts = findings.flatMap(({ requirement, sent, received, explanation }) => {
    const isTold = sent.length > 1 && received.length > 1;
    const isSentence = /^[A-Z`"$/].{12,}[.]$/s.test(explanation) && !/^(?:It|They|That|This)\b/.test(explanation);
    return isTold && isSentence ? [] : [`${requirement}: ${explanation}`];
  });
  return [...new Set([...scripts, ...texts])];
}

const agents = [
  ...wrongAgents.map(({ fails, areas = [], mutation }) => ({ name: fails, only: [...areas, fails], mutation })),
  ...mutants.map(({ rule, shows, mutation }) => ({ name: `a mutant of ${rule}`, only: shows, mutation })),
];

describe.concurrent("a script for each fault, and findings that stand alone:", () => {
  test.for(agents)("$name", async ({ only, mutation }, { expect }) => {
    const store = new Map();
    const report = await testAgent({
      agent: () => startRightAgent(store, mutation),
      prompts: promptPresets.everything,
      authMethod: "token",
      jobs: 8,
      confirm: false,
      startMs: 10_000,
      answerMs: 1_000,
      turnMs: 1_000,
      graceMs: 500,
      quietMs: 15,
      exitMs: 300,
      only,
    });
    expect(defectsOf(report)).toEqual([]);
  });

  test.for(wrongClients.filter(({ wrong }) => wrong !== "starts-no-agent"))(
    "the client that is $wrong",
    async ({ wrong, fails, capabilities, turns }, { expect }) => {
      const { outcomes } = await playClient({
        launch: launchRawClient({ cwd, wrong, capabilities, turns }),
        host: nodeHost,
        driving: { cancelStdin: "cancel", stepMs: 1_500, quietMs: 60 },
        wanted: ({ id, verifies: _ }) => fails.includes(id),
        jobs: 4,
        confirm: false,
      });
      const report = buildReport({
        role: "client",
        subject: { command: "client" },
        kit: "1.0.0",
        startedAt: new Date(0),
        durationMs: 1,
        outcomes,
      });
      expect(defectsOf(report)).toEqual([]);
    },
  );
});

test("conformance.every-fault-has-a-repro: the wrong agents and clients broke more than 150 rules, each with a script", () => {
  expect(shown.size).toBeGreaterThan(150);
});
