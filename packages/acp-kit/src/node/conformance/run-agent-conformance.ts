import { type PromptPurpose, type Prompts, promptPresets, promptPurposes } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { startModel } from "@acp-kit/testing/model";
import type { AgentCommand } from "../agent-target.js";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import { usageFailure } from "../command-failure.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { parseJson } from "../user-file.js";
import { modelRecipe } from "./model-recipe.js";
import { remotePeer, remoteServer, scenariosOfProcesses } from "./remote-peer.js";
import { read, readBaseline, writeReport } from "./report-files.js";
import { type ConformanceOptions, testOptions } from "./run-options.js";
import { watchedRun } from "./watched-run.js";

/** The options of `acp-kit conformance agent`. */
export interface AgentConformanceOptions extends ConformanceOptions {
  readonly agent: AgentTarget;
  readonly preset?: keyof typeof promptPresets;
  readonly prompts: Prompts;
  readonly initializeTimeout?: number;
  readonly requestTimeout?: number;
  readonly turnTimeout?: number;
  /** The port of the scripted model; `undefined` for no scripted model. */
  readonly model?: number;
  readonly authMethod?: string;
  readonly cwd: string;
  readonly config?: string;
}

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
  const earlier = readBaseline(host, options);
  const preset = options.preset ?? config.preset ?? "plain";
  const { agent } = options;
  const only = options.only ?? config.only;
  const skip = [...(options.skip ?? config.skip ?? []), ...(isRemote(agent) ? scenariosOfProcesses : [])];
  await using model = options.model === undefined ? undefined : await startModel({ port: options.model });
  await using recipe = model && !isRemote(agent) ? modelRecipe(host, agent, model.url) : undefined;
  const authMethod = options.authMethod ?? config.authMethod ?? recipe?.authMethod;
  const env = { ...model?.env, ...recipe?.env, ...config.env };
  const home = options.home ?? recipe?.home;
  const given = { ...options, ...(only && { only }), skip, ...(home !== undefined && { home }) };
  const common = testOptions(host, "agent", given);
  const report = await watchedRun(host, (hooks) =>
    testAgent({
      ...(isRemote(agent)
        ? { agent: () => remotePeer(agent), command: shownUrl(agent.url), remote: remoteServer(agent) }
        : { agent: { ...commandOf(agent), cwd: options.cwd, env: { ...agent.env, ...env } } }),
      prompts: { ...promptPresets[preset], ...config.prompts, ...options.prompts },
      ...(authMethod !== undefined && { authMethod }),
      ...(config.initializeMeta && { initializeMeta: config.initializeMeta }),
      ...(options.initializeTimeout !== undefined && { initializeTimeoutMs: options.initializeTimeout }),
      ...(options.requestTimeout !== undefined && { requestTimeoutMs: options.requestTimeout }),
      ...(options.turnTimeout !== undefined && { turnTimeoutMs: options.turnTimeout }),
      ...common,
      ...hooks,
    }),
  );
  return writeReport(host, report, options, earlier);
}

/** Returns the command without the environment variables, because they are merged with the variables of the model. */
function commandOf({ command, args }: AgentCommand): Pick<AgentCommand, "command" | "args"> {
  return { command, args };
}

function readConfig(host: Host, file: string): Config {
  const parsed = parseJson(read(host, file), file);
  if (!isJsonObject(parsed)) throw usageFailure(`${file} must contain a JSON object.`);
  const config: Config = parsed;
  const unknown = Object.keys(config).find((key) => !Object.hasOwn(members, key));
  if (unknown !== undefined)
    throw usageFailure(`${file}: ${unknown} is not a key; the keys are ${Object.keys(members).join(", ")}.`);
  for (const [name, { what, accepts }] of Object.entries(members)) {
    const value = parsed[name];
    if (value !== undefined && !accepts(value)) throw usageFailure(`${file}: "${name}" must be ${what}.`);
  }
  if (config.preset !== undefined && !Object.hasOwn(promptPresets, config.preset)) {
    throw usageFailure(
      `${file}: there is no preset ${config.preset}; the presets are ${Object.keys(promptPresets).join(", ")}.`,
    );
  }
  for (const [purpose, prompt] of Object.entries(config.prompts ?? {}) as [PromptPurpose, unknown][]) {
    if (!Object.hasOwn(promptPurposes, purpose) || typeof prompt !== "string") {
      throw usageFailure(`${file}: "prompts" must map purposes to texts; ${purpose} is not a purpose, or has no text.`);
    }
  }
  return config;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

const ids = { what: "a list of ids", accepts: (value: unknown) => Array.isArray(value) && value.every(isText) };

/** The kind of value of each member of a `--config` file. */
const members: Readonly<Record<keyof Config, { what: string; accepts: (value: unknown) => boolean }>> = {
  preset: { what: "the name of a preset", accepts: isText },
  prompts: { what: "an object that maps purposes to texts", accepts: isJsonObject },
  only: ids,
  skip: ids,
  authMethod: { what: "the id of a login method", accepts: isText },
  initializeMeta: { what: "an object", accepts: isJsonObject },
  env: {
    what: "an object that maps names to texts",
    accepts: (value) => isJsonObject(value) && Object.values(value).every(isText),
  },
};
