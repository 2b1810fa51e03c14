import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type PromptPurpose,
  type Prompts,
  promptPresets,
  promptPurposes,
  reportHtml,
  reportJUnit,
  reportText,
} from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import type { AgentCommand } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";

/** What `acp-kit conformance agent` was told. */
export interface AgentConformanceOptions {
  readonly agent: AgentCommand;
  readonly preset?: keyof typeof promptPresets;
  readonly prompts: Prompts;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly authMethod?: string;
  readonly cwd?: string;
  readonly jobs?: number;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly expectedFailures?: string;
  readonly config?: string;
}

/** The file behind `--config`. */
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
  using interrupts = listenForInterrupts(host);
  let done = 0;
  const report = await testAgent({
    agent: { ...agent, cwd: options.cwd ?? host.cwd, ...(config.env && { env: config.env }) },
    prompts: { ...promptPresets[preset], ...config.prompts, ...options.prompts },
    ...(only && { only }),
    ...(skip && { skip }),
    ...(authMethod !== undefined && { authMethod }),
    ...(config.initializeMeta && { initializeMeta: config.initializeMeta }),
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
  host.stdout.write(reportText(report, host.stdout.colours));
  write(host, options.json, `${JSON.stringify(report, undefined, 2)}\n`);
  write(host, options.junit, reportJUnit(report));
  write(host, options.html, reportHtml(report));
  return report.conformant ? ExitCode.ok : ExitCode.error;
}

function readConfig(host: Host, file: string): Config {
  const text = read(host, file);
  let config: Config;
  try {
    config = JSON.parse(text) as Config;
  } catch (cause) {
    throw usageFailure(`${file} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  if (typeof config !== "object" || config === null) throw usageFailure(`${file} holds no JSON object.`);
  if (config.preset !== undefined && !Object.hasOwn(promptPresets, config.preset)) {
    throw usageFailure(
      `${file}: there is no preset ${config.preset}; there are ${Object.keys(promptPresets).join(", ")}.`,
    );
  }
  for (const [purpose, prompt] of Object.entries(config.prompts ?? {}) as [PromptPurpose, unknown][]) {
    if (!Object.hasOwn(promptPurposes, purpose) || typeof prompt !== "string") {
      throw usageFailure(`${file}: prompts has texts by purpose; ${purpose} is none, or has no text.`);
    }
  }
  return config;
}

/** Ids, one on a line; what comes after `#` is for people. */
function readIds(host: Host, file: string): readonly string[] {
  return read(host, file)
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((id) => id !== "");
}

function read(host: Host, file: string): string {
  try {
    return readFileSync(resolve(host.cwd, file), "utf8");
  } catch (cause) {
    throw usageFailure(`Can't read ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function write(host: Host, file: string | undefined, text: string): void {
  if (file === undefined) return;
  try {
    writeFileSync(resolve(host.cwd, file), text);
  } catch (cause) {
    throw usageFailure(`Can't write ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
