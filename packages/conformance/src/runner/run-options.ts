import type { Dialogue } from "../dialogue.js";
import type { Scenario, ScenarioContext, Watch } from "../scenario.js";
import type { Verdict } from "../verdict.js";

/** A context made for one run of one scenario, and what is left of it. */
export interface OpenContext<Context extends ScenarioContext> {
  readonly context: Context;
  /** All that was said so far, over every connection of the scenario. */
  readonly dialogues: readonly Dialogue[];
  /** Ends every process that was started for it. Never rejects. */
  close(): Promise<void>;
}

/** What the runner adds to a context: how findings and skips are told. */
export type Telling = Pick<ScenarioContext, "note" | "fail" | "skip">;

/** What became of one scenario. */
export interface ScenarioOutcome<Context extends ScenarioContext = ScenarioContext> {
  readonly check: Scenario<Context> | Watch;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Of a scenario: all of its dialogues. Of a watch: those in which something was wrong. */
  readonly dialogues: readonly Dialogue[];
}

/** How scenarios are run. */
export interface RunScenariosOptions<Context extends ScenarioContext> {
  readonly scenarios: readonly Scenario<Context>[];
  readonly watches: readonly Watch[];
  /** How many run at a time. @defaultValue 1 */
  readonly jobs?: number;
  /** The time that each scenario has. What is left of it is skipped afterwards. @defaultValue 120000 */
  readonly timeoutMs?: number;
  /** Aborting ends everything; what did not run is skipped. */
  readonly signal?: AbortSignal;
  /** Makes what one scenario needs. What it throws skips the scenario. */
  open(scenario: Scenario<Context>, telling: Telling, signal: AbortSignal): Promise<OpenContext<Context>>;
  /** Told as soon as a scenario has ended; watches come last. */
  onOutcome?(outcome: ScenarioOutcome<Context>): void;
}
