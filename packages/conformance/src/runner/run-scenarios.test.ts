import { expect, test } from "vitest";
import { DialogueLog } from "../dialogue.js";
import type { Scenario, ScenarioContext, Watch } from "../scenario.js";
import { type Finding, Inconclusive } from "../verdict.js";
import type { Attempt, RunScenariosOptions, ScenarioOutcome } from "./run-options.js";
import { runScenarios } from "./run-scenarios.js";

interface Context extends ScenarioContext {
  readonly attempt: Pick<Attempt, "job" | "number">;
  readonly log: DialogueLog;
}

const evidence = { sent: "x", received: "y", explanation: "z" };
const broken = (requirement = "CANCEL-06"): Finding => ({ requirement, ...evidence });

function scenario(run: (context: Context) => void | Promise<void>, id = "test/one"): Scenario<Context> {
  const verifies = ["CANCEL-06", "CANCEL-07"];
  return { kind: "scenario", role: "agent", tier: "mandatory", id, title: id, verifies, run: async (c) => run(c) };
}

const watch = (findings: (log: DialogueLog) => readonly Finding[]): Watch => ({
  kind: "watch",
  role: "agent",
  tier: "mandatory",
  id: "watch/one",
  title: "one",
  verifies: ["CANCEL-06"],
  watch: (dialogue) => ({ checkedEntries: 1, findings: findings(dialogue as DialogueLog) }),
});

function play(
  scenarios: readonly Scenario<Context>[],
  more: Partial<RunScenariosOptions<Context>> = {},
): Promise<ScenarioOutcome<Context>[]> {
  return runScenarios<Context>({
    scenarios,
    watches: [],
    async open(_scenario, reporting, attempt) {
      const log = new DialogueLog("connection 1");
      log.event(`run ${attempt.number}`);
      return { context: { ...reporting, attempt, log }, dialogues: [log], close: async () => {} };
    },
    ...more,
  });
}

test("conformance.broken-in-two-runs: a failure counts if the second run shows it as well", async () => {
  const runs: number[] = [];
  const [outcome] = await play([
    scenario(({ attempt, fail }) => {
      runs.push(attempt.number);
      fail("CANCEL-06", evidence);
    }),
  ]);
  expect(runs).toEqual([1, 2]);
  expect(outcome?.verdict).toEqual({ status: "failed", findings: [broken()] });
  expect(outcome?.dialogues.map(({ name }) => name)).toEqual(["connection 1", "second run, connection 1"]);
});

test("a scenario that fails in only one of two runs is flaky", async () => {
  const [outcome] = await play([
    scenario(({ attempt, fail }) => void (attempt.number === 1 && fail("CANCEL-06", evidence))),
  ]);
  expect(outcome?.verdict).toEqual({
    status: "flaky",
    findings: [broken()],
    reason: "one of two runs broke a rule; the other broke none",
  });
});

test("only rules that both runs broke count", async () => {
  const [outcome] = await play([
    scenario(({ attempt, note }) => {
      note("CANCEL-06", evidence);
      if (attempt.number === 2) note("CANCEL-07", evidence);
    }),
  ]);
  expect(outcome?.verdict).toEqual({
    status: "failed",
    findings: [broken("CANCEL-06")],
    unconfirmed: [broken("CANCEL-07")],
  });
});

test("a scenario runs once if it passes, or if confirm is false", async () => {
  const runs: string[] = [];
  const note = (name: string) => (context: Context) => {
    runs.push(name);
    if (name === "bad") context.fail("CANCEL-06", evidence);
  };
  await play([scenario(note("good"))]);
  await play([scenario(note("bad"))], { confirm: false });
  expect(runs).toEqual(["good", "bad"]);
});

test("a finding of a watch counts if a second run of the scenario shows it", async () => {
  const played = [scenario(() => {}, "test/one"), scenario(() => {}, "test/two")];
  const isFirst = (log: DialogueLog): boolean =>
    log.entries.some((entry) => "event" in entry && entry.event === "run 1");
  const always = await play(played, { watches: [watch(() => [broken()])] });
  expect(always.at(-1)?.verdict.status).toBe("failed");
  const once = await play(played, { watches: [watch((log) => (isFirst(log) ? [broken()] : []))] });
  expect(once.at(-1)?.verdict).toMatchObject({ status: "flaky" });
});

test("an error of the kit, a missing login or an exceeded limit makes a scenario inconclusive", async () => {
  const outcomes = await play([
    scenario(() => {
      throw new TypeError("a bug");
    }, "test/bug"),
    scenario(({ inconclusive }) => inconclusive("a login is needed"), "test/login"),
    scenario(() => Promise.reject(new Inconclusive("too slow for these limits")), "test/slow"),
    scenario(({ skip }) => skip("it has no modes"), "test/skip"),
  ]);
  expect(outcomes.map(({ verdict }) => verdict)).toEqual([
    { status: "inconclusive", reason: "the scenario could not run to its end: a bug" },
    { status: "inconclusive", reason: "a login is needed" },
    { status: "inconclusive", reason: "too slow for these limits" },
    { status: "skipped", reason: "it has no modes" },
  ]);
});

test("each worker has its own number", async () => {
  const jobs = new Set<number>();
  let resolve = (): void => {};
  const both = new Promise<void>((done) => {
    resolve = done;
  });
  let waiting = 0;
  const meet = async ({ attempt }: Context): Promise<void> => {
    jobs.add(attempt.job);
    if (++waiting === 2) resolve();
    await both;
  };
  await play([scenario(meet, "test/one"), scenario(meet, "test/two")], { jobs: 2 });
  expect([...jobs].sort()).toEqual([0, 1]);
});

test("scenarios that did not run before the stop are inconclusive", async () => {
  const stop = new AbortController();
  const outcomes = await play([scenario(() => stop.abort(), "test/one"), scenario(() => {}, "test/two")], {
    signal: stop.signal,
  });
  expect(outcomes[1]?.verdict).toEqual({ status: "inconclusive", reason: "the run was stopped before" });
});

test("a run that is stopped while a scenario is opened doesn't wait for the scenario", async () => {
  const stop = new AbortController();
  let closed = 0;
  const [outcome] = await play([scenario(() => new Promise(() => {}))], {
    signal: stop.signal,
    async open(_scenario, reporting, attempt) {
      stop.abort();
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return { context: { ...reporting, attempt, log: new DialogueLog("connection 1") }, dialogues: [], close };
    },
  });
  expect(outcome?.verdict).toEqual({ status: "inconclusive", reason: "the run was stopped" });
  expect(closed).toBe(1);
});

test("a failed clean-up does not change the outcome", async () => {
  const [outcome] = await play([scenario(({ fail }) => fail("CANCEL-06", evidence))], {
    confirm: false,
    async open(_scenario, reporting, attempt) {
      const close = (): Promise<void> => Promise.reject(new Error("the folder is busy"));
      return { context: { ...reporting, attempt, log: new DialogueLog("connection 1") }, dialogues: [], close };
    },
  });
  expect(outcome?.verdict).toEqual({ status: "failed", findings: [broken()] });
});

test("a scenario without a time limit runs to its end", async () => {
  const [outcome] = await play([scenario(() => new Promise((resolve) => setTimeout(resolve, 20)))], {
    timeoutMs: Number.POSITIVE_INFINITY,
  });
  expect(outcome?.verdict).toEqual({ status: "passed" });
});

test("there are no more workers than scenarios, and a number of jobs that is no number is refused", async () => {
  const nothing = scenario(() => {});
  for (const jobs of [1e99, Number.POSITIVE_INFINITY]) expect(await play([nothing], { jobs })).toHaveLength(1);
  await expect(play([nothing], { jobs: Number.NaN })).rejects.toThrow(TypeError);
});
