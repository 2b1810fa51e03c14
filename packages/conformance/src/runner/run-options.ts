import type { Dialogue } from "../dialogue.js";
import type { Scenario, ScenarioContext, Watch } from "../scenario.js";
import type { Verdict } from "../verdict.js";

/** A context made for one run of one scenario, and what it holds. */
export interface OpenContext<Context extends ScenarioContext> {
  readonly context: Context;
  /** The dialogues so far, one for each connection of the scenario. */
  readonly dialogues: readonly Dialogue[];
  /** Ends every process that was started for it. Never rejects. */
  close(): Promise<void>;
}

/** What the runner adds to a context: how a scenario reports. */
export type Reporting = Pick<ScenarioContext, "note" | "fail" | "skip" | "inconclusive">;

/** Which run of a scenario it is. */
export interface Attempt {
  /** The number of the worker, from 0: what workers must not share is made once for each. */
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
  /** Of a scenario: all of its dialogues. Of a watch: those with findings. */
  readonly dialogues: readonly Dialogue[];
}

/** How scenarios are run. */
export interface RunScenariosOptions<Context extends ScenarioContext> {
  readonly scenarios: readonly Scenario<Context>[];
  readonly watches: readonly Watch[];
  /** How many run at a time. @defaultValue 1 */
  readonly jobs?: number;
  /** The time that each scenario has, in milliseconds; one that needs more is inconclusive. @defaultValue 120000 */
  readonly timeoutMs?: number;
  /** Whether a failure is run once more before it counts. @defaultValue true */
  readonly confirm?: boolean;
  /** Aborting ends everything; what did not run is inconclusive. */
  readonly signal?: AbortSignal;
  /** Makes what one run of a scenario needs. An error that it throws makes the scenario inconclusive. */
  open(scenario: Scenario<Context>, reporting: Reporting, attempt: Attempt): Promise<OpenContext<Context>>;
  /** Called as soon as a scenario has ended; watches come last. */
  onOutcome?(outcome: ScenarioOutcome<Context>): void;
}
