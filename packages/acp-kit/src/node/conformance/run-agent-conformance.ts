import { type PromptPurpose, type Prompts, promptPresets, promptPurposes } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import type { AgentCommand } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { printReport, type ReportFiles, read, readIds } from "./report-files.js";
import { watchedRun } from "./watched-run.js";

/** The options of `acp-kit conformance agent`. */
export interface AgentConformanceOptions extends ReportFiles {
  readonly agent: AgentCommand;
  readonly preset?: keyof typeof promptPresets;
  readonly prompts: Prompts;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly authMethod?: string;
  readonly cwd?: string;
  readonly jobs?: number;
  readonly expectedFailures?: string;
  readonly config?: string;
}

/** The content of the `--config` file. */
interface Config {
  readonly preset?: keyof typeof promptPresets;
  readonly prompts?: Prompts;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly authMethod?: string;
  readonly initializeMeta?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Tests an agent and writes the reports. */
export async function runAgentConformance(host: Host, options: AgentConformanceOptions): Promise<ExitCode> {
  const config = options.config === undefined ? {} : readConfig(host, options.config);
  const expectedFailures = options.expectedFailures === undefined ? [] : readIds(host, options.expectedFailures);
  const preset = options.preset ?? config.preset ?? "plain";
  const { agent, jobs, timeoutMs } = options;
  const only = options.only ?? config.only;
  const skip = options.skip ?? config.skip;
  const authMethod = options.authMethod ?? config.authMethod;
  const report = await watchedRun(host, (hooks) =>
    testAgent({
      agent: { ...agent, cwd: options.cwd ?? host.cwd, ...(config.env && { env: config.env }) },
      prompts: { ...promptPresets[preset], ...config.prompts, ...options.prompts },
      ...(only && { only }),
      ...(skip && { skip }),
      ...(authMethod !== undefined && { authMethod }),
      ...(config.initializeMeta && { initializeMeta: config.initializeMeta }),
      ...(jobs !== undefined && { jobs }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      expectedFailures,
      ...hooks,
    }),
  );
  return printReport(host, report, options);
}

function readConfig(host: Host, file: string): Config {
  const text = read(host, file);
  let config: Config;
  try {
    config = JSON.parse(text) as Config;
  } catch (cause) {
    throw usageFailure(`${file} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  if (typeof config !== "object" || config === null) throw usageFailure(`${file} must contain a JSON object.`);
  if (config.preset !== undefined && !Object.hasOwn(promptPresets, config.preset)) {
    throw usageFailure(
      `${file}: there is no preset ${config.preset}; there are ${Object.keys(promptPresets).join(", ")}.`,
    );
  }
  for (const [purpose, prompt] of Object.entries(config.prompts ?? {}) as [PromptPurpose, unknown][]) {
    if (!Object.hasOwn(promptPurposes, purpose) || typeof prompt !== "string") {
      throw usageFailure(`${file}: "prompts" must map purposes to texts; ${purpose} is not a purpose, or has no text.`);
    }
  }
  return config;
}
