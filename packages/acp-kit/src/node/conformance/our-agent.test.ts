import {
  agentScenarios,
  agentWatches,
  type ConformanceReport,
  promptPresets,
  type RequirementReport,
  requirementOf,
} from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { afterAll, expect, it } from "vitest";
import { demoAgent, sandbox } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

/** What `@acp-kit/agent` does for its author, by the areas of the rules. */
const areas = "SESS LIST DEL PROMPT UPD MSG TOOL PERM PLAN MODE CFG CMD USAGE INFO ELICIT CANCEL".split(" ");
const areaOf = (id: string): string => id.split("-", 1)[0] ?? "";

it("an agent on our packages breaks no rule of turns and sessions, area by area", { timeout: 300_000 }, async () => {
  const [, command = "", ...args] = await demoAgent("--pace", "0");
  const report = await testAgent({
    agent: { command, args, env: { HOME: home } },
    directory: cwd,
    prompts: promptPresets.everything,
    only: [...agentScenarios, ...agentWatches]
      .filter(({ verifies }) => verifies.some((id) => areas.includes(areaOf(id))))
      .map(({ id }) => id),
    jobs: 2,
  });
  const failed = report.requirements.filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => `${id}: ${requirementOf(id)?.rule}`)).toEqual([]);
  expect(report.conformant).toBe(true);
  const passed = new Set(report.requirements.filter(({ status }) => status === "passed").map(({ id }) => areaOf(id)));
  expect(areas.filter((area) => !passed.has(area))).toEqual([]);
});

it("V2-REQ-36: an agent on our packages breaks no rule of version 2, and every rule for agents is checked", {
  timeout: 300_000,
}, async () => {
  const prompts = { ...promptPresets.everything, terminal: "/terminal" };
  const run = async (options: readonly string[], only: readonly string[]): Promise<ConformanceReport> => {
    const [, command = "", ...args] = await demoAgent("--pace", "0", ...options);
    const agent = { command, args, env: { HOME: home } };
    return testAgent({ agent, directory: cwd, prompts, protocol: 2, jobs: 2, only });
  };
  const [open, withLogin] = [await run([], []), await run(["--auth"], ["version-2/login", "V2-09"])];
  expect([open, withLogin].flatMap(({ faults }) => faults.map(({ finding }) => finding))).toEqual([]);
  expect(open.made.versions).toEqual([2]);
  const passed = new Set(
    [open, withLogin]
      .flatMap(({ requirements }) => requirements)
      .filter(isPassed)
      .map(idOf),
  );
  expect(open.requirements.map(idOf).filter((id) => !passed.has(id))).toEqual(["V2-32"]); // visible only in the client
});

const isPassed = ({ status }: RequirementReport): boolean => status === "passed";
const idOf = ({ id }: RequirementReport): string => id;
