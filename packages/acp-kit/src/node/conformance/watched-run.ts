import type { ConformanceReport } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";

/** The callbacks and the abort signal of a run. */
export interface RunHooks {
  readonly signal: AbortSignal;
  onOutcome(outcome: { readonly check: { readonly kind: "scenario" | "watch" } }): void;
}

/** Runs scenarios until they are done or the user stops them, with a counter on a terminal. Throws a usage error if none is selected. */
export async function watchedRun(
  host: Host,
  run: (hooks: RunHooks) => Promise<ConformanceReport>,
): Promise<ConformanceReport> {
  using interrupts = listenForInterrupts(host);
  let done = 0;
  const report = await run({
    signal: interrupts.stop,
    onOutcome({ check }) {
      if (host.stderr.isTerminal && check.kind === "scenario") host.stderr.write(`\r${++done} scenarios\u001B[K`);
    },
  });
  if (host.stderr.isTerminal) host.stderr.write("\r\u001B[K");
  if (interrupts.stop.aborted) throw interrupts.stop.reason;
  if (!report.scenarios.some(({ kind }) => kind === "scenario")) {
    throw usageFailure("No scenario is left to run: check the ids of --only and --skip.");
  }
  return report;
}
