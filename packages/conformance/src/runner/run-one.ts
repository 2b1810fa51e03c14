import type { Dialogue } from "../dialogue.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { Scenario, ScenarioContext } from "../scenario.js";
import { after } from "../timer.js";
import { Failure, type Finding, Inconclusive, Skip, type Verdict } from "../verdict.js";
import { createReporting } from "./create-reporting.js";
import type { Attempt, OpenContext, RunScenariosOptions, ScenarioOutcome } from "./run-options.js";

/** Runs one scenario once, with processes of its own. Never rejects. */
export async function runOne<Context extends ScenarioContext>(
  scenario: Scenario<Context>,
  { open, timeoutMs = 120_000, signal }: RunScenariosOptions<Context>,
  attempt: Pick<Attempt, "job" | "number">,
): Promise<ScenarioOutcome<Context>> {
  const start = performance.now();
  const findings: Finding[] = [];
  const reporting = createReporting(
    (finding) => findings.push(finding),
    (finding) => checked(scenario, finding),
  );
  const end = (verdict: Verdict, dialogues: readonly Dialogue[] = []): ScenarioOutcome<Context> => ({
    check: scenario,
    verdict,
    durationMs: Math.round(performance.now() - start),
    dialogues,
  });
  if (signal?.aborted) return end({ status: "inconclusive", reason: "the run was stopped before" });

  const ending = new AbortController();
  let opened: OpenContext<Context> | undefined;
  let stopTimer = (): void => {};
  let onAbort: (() => void) | undefined;
  let verdict: Verdict | undefined;
  try {
    await Promise.race([
      (async () => {
        const context = await open(scenario, reporting, { ...attempt, signal: ending.signal });
        if (ending.signal.aborted) return await context.close(); // the scenario has ended while its context was opened
        opened = context;
        await scenario.run(context.context);
      })(),
      new Promise<never>((_, reject) => {
        stopTimer = after(timeoutMs, () => reject(new Inconclusive(outOfTime(timeoutMs))));
        onAbort = () => reject(new Inconclusive("the run was stopped"));
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) onAbort(); // the run was stopped while the context was opened
      }),
    ]);
  } catch (error) {
    if (error instanceof Skip) verdict = { status: "skipped", reason: error.message };
    else if (error instanceof Inconclusive) verdict = { status: "inconclusive", reason: error.message };
    else if (error instanceof Failure) findings.push(error.finding);
    // A defect of the kit is not a failure of the peer.
    else verdict = { status: "inconclusive", reason: `the scenario could not run to its end: ${messageOf(error)}` };
  } finally {
    stopTimer();
    if (onAbort) signal?.removeEventListener("abort", onAbort);
    ending.abort();
    await opened?.close().catch(() => {}); // a failed clean-up does not change the findings
  }
  if (findings.length > 0) verdict = { status: "failed", findings };
  verdict ??= { status: "passed" };
  return end(verdict, opened?.dialogues);
}

/** Rules that any finding may cite, without `verifies`: requests get responses, sessions and turns work. */
const basics: readonly string[] = ["RPC-04", "INIT-05", "INIT-18", "SESS-03", "PROMPT-07", "CANCEL-06"];

/**
 * Returns the finding unchanged. @throws {TypeError} if it cites a rule that does not exist, or that is neither in
 * `verifies` of its scenario nor in `basics`.
 */
export function checked(check: { id: string; verifies: readonly string[] }, finding: Finding): Finding {
  requirementOf(finding.requirement);
  if (!check.verifies.includes(finding.requirement) && !basics.includes(finding.requirement)) {
    throw new TypeError(`${check.id} reports ${finding.requirement}, which is not among the rules that it verifies.`);
  }
  return finding;
}

function outOfTime(timeoutMs: number): string {
  return `too slow for these limits: the scenario didn't end within ${timeoutMs / 1000} s; --timeout sets a longer limit`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
