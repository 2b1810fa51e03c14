import type { Dialogue } from "../dialogue.js";
import type { Scenario, ScenarioContext, Watch } from "../scenario.js";
import type { Verdict } from "../verdict.js";

/** A context for one run of one scenario, with its dialogues and processes. */
export interface OpenContext<Context extends ScenarioContext> {
  readonly context: Context;
  /** The dialogues so far, one for each connection of the scenario. */
  readonly dialogues: readonly Dialogue[];
  /** Ends every process that the run started. Never rejects. */
  close(): Promise<void>;
}

/** Identifies a run of a scenario. */
export interface Attempt {
  /** The number of the worker, from 0. Each worker has its own copy of the resources that workers must not share. */
  readonly job: number;
  /** 1 for the first run; 2 for the run that confirms a failure, which needs a fresh process and a fresh home. */
  readonly number: 1 | 2;
  /** Aborted when the scenario has ended. */
  readonly signal: AbortSignal;
}

/** The result of one scenario or watch. */
export interface ScenarioOutcome<Context extends ScenarioContext = ScenarioContext> {
  readonly check: Scenario<Context> | Watch;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** All dialogues of a scenario; for a watch, only those with findings. */
  readonly dialogues: readonly Dialogue[];
}

/** Options of {@link runScenarios}. */
export interface RunScenariosOptions<Context extends ScenarioContext> {
  readonly scenarios: readonly Scenario<Context>[];
  readonly watches: readonly Watch[];
  /** The number of scenarios that run at the same time. @defaultValue 1 */
  readonly jobs?: number | undefined;
  /** The time limit of each scenario, in milliseconds. A longer one is inconclusive. @defaultValue 120000 */
  readonly timeoutMs?: number | undefined;
  /** Whether a failed scenario runs a second time before the failure counts. @defaultValue true */
  readonly confirm?: boolean | undefined;
  /** Aborting ends all processes; scenarios that did not run are inconclusive. */
  readonly signal?: AbortSignal | undefined;
  /** Creates the context of one run of a scenario. An error that it throws makes the scenario inconclusive. */
  open(scenario: Scenario<Context>, reporting: ScenarioContext, attempt: Attempt): Promise<OpenContext<Context>>;
  /** Called as soon as a scenario has ended; watches come last. */
  readonly onOutcome?: ((outcome: ScenarioOutcome<Context>) => void) | undefined;
}
