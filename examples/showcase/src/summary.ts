import type { Stage } from "./stage.js";
import { green, red, yellow } from "./style.js";

/** Writes counts, durations, and the verdict. */
export function summarize({ screen, checks, traffic, witness, timings, skipped }: Stage): void {
  const { messages, bytes, methods } = traffic;
  screen.heading("Summary");
  screen.row("sent", `${messages.sent} messages, ${kilobytes(bytes.sent)}`);
  screen.row("received", `${messages.received} messages, ${kilobytes(bytes.received)}; ${witness.updates} updates`);
  screen.row("methods", [...methods].map(([method, count]) => `${method} ${count}`).join(", "));
  screen.row("times", timings.map(({ what, ms }) => `${what.slice(0, 30)} ${ms.toFixed(0)} ms`).join(", "));
  const total = timings.reduce((sum, { ms }) => sum + ms, 0);
  screen.row("total", `${(total / 1000).toFixed(1)} s`);
  if (skipped.length > 0) screen.row("skipped", skipped.join(", "), yellow);
  if (checks.failures.length === 0) screen.row("verdict", `✓ ${checks.passed} checks passed`, green);
  else
    screen.row(
      "verdict",
      `✗ ${checks.failures.length} of ${checks.passed + checks.failures.length} checks failed`,
      red,
    );
  for (const failure of checks.failures) screen.row("", failure, red);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
