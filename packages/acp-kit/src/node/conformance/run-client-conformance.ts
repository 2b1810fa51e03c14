import type { ClientDriving } from "@acp-kit/conformance";
import { testClient } from "@acp-kit/conformance/node";
import { usageFailure } from "../command-failure.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { type ReportFiles, readIds, tellReport } from "./report-files.js";

/** What `acp-kit conformance client` was told. */
export interface ClientConformanceOptions extends ReportFiles {
  readonly command: readonly string[];
  readonly driving: ClientDriving;
  readonly agentInEnvironment: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly cwd?: string;
  readonly jobs?: number;
  readonly expectedFailures?: string;
}

/** Tests a client and writes the reports. */
export async function runClientConformance(host: Host, options: ClientConformanceOptions): Promise<ExitCode> {
  const { command, driving, agentInEnvironment, only, skip, timeoutMs, jobs } = options;
  const expectedFailures = options.expectedFailures === undefined ? [] : readIds(host, options.expectedFailures);
  using interrupts = listenForInterrupts(host);
  let done = 0;
  const report = await testClient({
    client: { command, cwd: options.cwd ?? host.cwd, agentInEnvironment },
    ...driving,
    ...(only && { only }),
    ...(skip && { skip }),
    ...(jobs !== undefined && { jobs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    expectedFailures,
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
  const code = tellReport(host, report, options);
  if (report.blocked !== undefined) {
    host.stderr.line(
      `${report.blocked}\nSo next to nothing could be tested. --stdin and {prompt} are ways to make it prompt.`,
    );
  }
  return code;
}
