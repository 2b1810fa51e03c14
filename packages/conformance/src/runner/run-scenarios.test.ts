import { expect, test } from "vitest";
import type { Scenario, ScenarioContext } from "../scenario.js";
import { runScenarios } from "./run-scenarios.js";

const scenario = (run: () => Promise<void>): Scenario<ScenarioContext> =>
  ({ id: "some-scenario", title: "A scenario", requirements: [], run }) as unknown as Scenario<ScenarioContext>;

test("a run that is stopped while a scenario is opened doesn't wait for the scenario", async () => {
  const controller = new AbortController();
  let closed = 0;
  const [outcome] = await runScenarios<ScenarioContext>({
    scenarios: [scenario(() => new Promise(() => {}))],
    watches: [],
    timeoutMs: 60_000,
    signal: controller.signal,
    open: (_, telling) => {
      controller.abort();
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return Promise.resolve({ context: telling as ScenarioContext, dialogues: [], close });
    },
  });
  expect(outcome?.verdict).toEqual({ status: "skipped", reason: "the run was stopped" });
  expect(closed).toBe(1);
});
