import type { ConformanceReport } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";

/** The callbacks and the abort signal of a run. */
export interface RunHooks {
  readonly signal: AbortSignal;
  onStart(scenarios: number): void;
  onOutcome(outcome: {
    readonly check: { readonly id: string; readonly kind: "scenario" | "watch" };
    readonly verdict: { readonly status: string };
    readonly durationMs: number;
  }): void;
}

/** Maximum time between two lines of progress without a terminal, in milliseconds. */
const LOG_EVERY_MS = 10_000;

/**
 * Runs scenarios and shows the progress on standard error: a counter on a terminal; otherwise a line for each failure,
 * and every ten seconds the number of finished scenarios. A signal stops the run; the report then contains the finished
 * scenarios.
 *
 * @throws {CommandFailure} when no scenario is selected.
 */
export async function watchedRun(
  host: Host,
  run: (hooks: RunHooks) => Promise<ConformanceReport>,
): Promise<ConformanceReport> {
  using interrupts = listenForInterrupts(host);
  const { stderr } = host;
  let done = 0;
  let total = 0;
  let loggedAt = performance.now();
  const report = await run({
    signal: interrupts.stop,
    onStart(scenarios) {
      total = scenarios;
    },
    onOutcome({ check, verdict, durationMs }) {
      if (check.kind !== "scenario") return;
      done++;
      if (stderr.isTerminal) return stderr.write(`\r${done} of ${total} scenarios\u001B[K`);
      if (verdict.status === "failed" || verdict.status === "flaky") {
        stderr.line(`${done} of ${total}: ${check.id} ${verdict.status} (${(durationMs / 1000).toFixed(1)} s)`);
      } else if (performance.now() - loggedAt < LOG_EVERY_MS) return;
      else stderr.line(`${done} of ${total} scenarios`);
      loggedAt = performance.now();
    },
  });
  if (stderr.isTerminal) stderr.write("\r\u001B[K");
  if (interrupts.stop.aborted && done === 0) throw interrupts.stop.reason;
  if (!report.scenarios.some(({ kind }) => kind === "scenario")) {
    throw usageFailure("No scenario is left to run: check the ids of --only and --skip.");
  }
  return report;
}
