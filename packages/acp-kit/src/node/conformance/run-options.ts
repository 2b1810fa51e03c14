import type { TestedRole } from "@acp-kit/conformance";
import type { TestAgentOptions } from "@acp-kit/conformance/node";
import type { Host } from "../host.js";
import type { ProtocolChoice } from "../protocol-version.js";
import { type ReportFiles, readExpectedFailures } from "./report-files.js";

/** The options of both `conformance agent` and `conformance client`. */
export interface ConformanceOptions extends ReportFiles {
  readonly protocol?: ProtocolChoice;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** The time limit of each scenario, in milliseconds. */
  readonly timeout?: number;
  readonly cwd?: string;
  readonly jobs?: number;
  /** A folder whose contents are copied into the home folder of each of the `jobs` workers. */
  readonly home?: string;
  /** Whether to use the user's home folder. By default, each worker has its own. */
  readonly sharedHome?: boolean;
  readonly expectedFailures?: string;
  /** Whether a failed scenario runs a second time before its failure counts. */
  readonly confirm?: boolean;
}

/** Returns the options of `testAgent` and `testClient` that are the same for both. */
export function testOptions(
  host: Host,
  role: TestedRole,
  options: ConformanceOptions,
): Pick<
  TestAgentOptions,
  "protocol" | "only" | "skip" | "timeoutMs" | "jobs" | "home" | "expectedFailures" | "confirm"
> {
  const { protocol = "auto", only, skip, timeout, jobs, home, sharedHome, expectedFailures, confirm } = options;
  return {
    protocol: protocol === "auto" ? protocol : protocol === "1" ? 1 : 2,
    ...(only && { only }),
    ...(skip && { skip }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(jobs !== undefined && { jobs }),
    home: sharedHome ? "shared" : home === undefined ? "own" : { template: home },
    expectedFailures: expectedFailures === undefined ? [] : readExpectedFailures(host, role, expectedFailures),
    ...(confirm !== undefined && { confirm }),
  };
}
