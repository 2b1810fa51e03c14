import type { ConformanceReport } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";

/** What a run tells while it goes on, and how it is stopped. */
export interface RunHooks {
  readonly signal: AbortSignal;
  onOutcome(outcome: { readonly check: { readonly kind: "scenario" | "watch" } }): void;
}

/** Runs scenarios, counting them on a terminal, until they are done or somebody stops them; none at all is a mistake of the words. */
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
    throw usageFailure("There is no scenario with such an id: --only and --skip leave none.");
  }
  return report;
}
