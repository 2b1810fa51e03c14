import type { ClientDriving } from "@acp-kit/conformance";
import { testClient } from "@acp-kit/conformance/node";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { readBaseline, writeReport } from "./report-files.js";
import { type ConformanceOptions, testOptions } from "./run-options.js";
import { watchedRun } from "./watched-run.js";

/** The options of `acp-kit conformance client`. */
export interface ClientConformanceOptions extends ConformanceOptions {
  readonly command: readonly string[];
  readonly driving: ClientDriving;
  readonly agentInEnvironment: boolean;
}

/** Tests a client and writes the reports. */
export async function runClientConformance(host: Host, options: ClientConformanceOptions): Promise<ExitCode> {
  const { command, driving, agentInEnvironment } = options;
  const earlier = readBaseline(host, options);
  const common = testOptions(host, "client", options);
  const report = await watchedRun(host, (hooks) =>
    testClient({
      client: { command, cwd: options.cwd ?? host.cwd, agentInEnvironment },
      ...driving,
      ...common,
      ...hooks,
    }),
  );
  const code = writeReport(host, report, options, earlier);
  if (report.reasons.some((reason) => reason.includes("by itself"))) {
    host.stderr.line("Pass --stdin, or {prompt} in the client's command, to make the client send a prompt.");
  }
  return code;
}
