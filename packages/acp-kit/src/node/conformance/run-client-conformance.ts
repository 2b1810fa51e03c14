import type { ClientDriving } from "@acp-kit/conformance";
import { testClient } from "@acp-kit/conformance/node";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { type ReportFiles, readBaseline, readExpectedFailures, writeReport } from "./report-files.js";
import { watchedRun } from "./watched-run.js";

/** The options of `acp-kit conformance client`. */
export interface ClientConformanceOptions extends ReportFiles {
  readonly command: readonly string[];
  readonly driving: ClientDriving;
  readonly agentInEnvironment: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly cwd?: string;
  readonly jobs?: number;
  /** A folder whose contents are copied into the home folder of each of the `jobs` workers. */
  readonly home?: string;
  /** Whether the client uses the user's home folder. By default, each worker has its own. */
  readonly sharedHome?: boolean;
  readonly expectedFailures?: string;
  /** Whether a failed scenario runs a second time before its failure counts. */
  readonly confirm?: boolean;
}

/** Tests a client and writes the reports. */
export async function runClientConformance(host: Host, options: ClientConformanceOptions): Promise<ExitCode> {
  const { command, driving, agentInEnvironment, only, skip, timeoutMs, jobs } = options;
  const earlier = readBaseline(host, options);
  const expectedFailures =
    options.expectedFailures === undefined ? [] : readExpectedFailures(host, "client", options.expectedFailures);
  const report = await watchedRun(host, (hooks) =>
    testClient({
      client: { command, cwd: options.cwd ?? host.cwd, agentInEnvironment },
      ...driving,
      home: options.sharedHome ? "shared" : options.home === undefined ? "own" : { template: options.home },
      ...(only && { only }),
      ...(skip && { skip }),
      ...(jobs !== undefined && { jobs }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(options.confirm !== undefined && { confirm: options.confirm }),
      expectedFailures,
      ...hooks,
    }),
  );
  const code = writeReport(host, report, options, earlier);
  if (report.reasons.some((reason) => reason.includes("by itself"))) {
    host.stderr.line("Pass --stdin, or {prompt} in the client's command, to make the client send a prompt.");
  }
  return code;
}
