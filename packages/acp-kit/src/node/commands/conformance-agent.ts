import { type PromptPurpose, promptPresets, promptPurposes } from "@acp-kit/conformance";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CommandWithAgent } from "../agent-argument.js";
import { runAgentConformance } from "../conformance/run-agent-conformance.js";
import type { Host } from "../host.js";
import { cwdOption } from "../shared-options.js";
import {
  type ConformanceOptions,
  count,
  expectedFailuresOption,
  htmlOption,
  jsonOption,
  junitOption,
  onlyOption,
  seconds,
  skipOption,
} from "./conformance-arguments.js";

type Preset = keyof typeof promptPresets;

interface AgentOptions extends ConformanceOptions {
  readonly preset?: Preset;
  readonly prompt?: readonly [PromptPurpose, string][];
  readonly cancelPrompt?: string;
  readonly authMethod?: string;
  readonly config?: string;
}

/** `acp-kit conformance agent`. */
export function conformanceAgentCommand(host: Host): Command {
  const command = new CommandWithAgent("agent");
  return command
    .summary("test an agent")
    .description(
      "Starts the agent once per scenario and checks every message it sends. A rule the agent gives no occasion to check is\n" +
        "skipped, with the reason; a rule that no scenario checks is reported as not tested, never as passed.",
    )
    .addOption(
      new Option("--preset <name>", "prompts that suit the agent (default: plain)").choices(Object.keys(promptPresets)),
    )
    .addOption(new Option("--prompt <purpose=text>", "the prompt for a purpose; repeatable").argParser(addPrompt))
    .option("--cancel-prompt <text>", "the prompt for a long turn: --prompt long=<text>")
    .addOption(onlyOption)
    .addOption(skipOption)
    .option("--timeout <seconds>", "time limit of each scenario (default: 120)", seconds)
    .option("--auth-method <id>", "log in with this method of the agent")
    .addOption(cwdOption("the working directory of the agent's process; sessions get directories of their own"))
    .option("--jobs <n>", "maximum number of agents at a time (default: 1)", count)
    .addOption(jsonOption)
    .addOption(junitOption)
    .addOption(htmlOption)
    .addOption(expectedFailuresOption)
    .option("--config <file>", "a JSON file with any of: preset, prompts, only, skip, authMethod, initializeMeta, env")
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: AgentOptions) => {
      const { timeout: timeoutMs, prompt, cancelPrompt, ...rest } = options;
      host.exitCode = await runAgentConformance(host, {
        ...rest,
        agent: command.agentOf(words),
        prompts: { ...Object.fromEntries(prompt ?? []), ...(cancelPrompt !== undefined && { long: cancelPrompt }) },
        timeoutMs,
      });
    });
}

function addPrompt(text: string, before: [PromptPurpose, string][] = []): [PromptPurpose, string][] {
  const [, purpose = "", words = ""] = /^(\w+)=([\s\S]*)$/.exec(text) ?? [];
  if (!Object.hasOwn(promptPurposes, purpose)) {
    throw new InvalidArgumentError(
      `Expected purpose=text; the purposes are ${Object.keys(promptPurposes).join(", ")}.`,
    );
  }
  return [...before, [purpose as PromptPurpose, words]];
}

const afterHelp = `
Purposes of prompts ({path} is a file of the session, {cwd} its directory):
${Object.entries(promptPurposes)
  .map(([purpose, text]) => `  ${purpose.padEnd(13)} the agent ${text}`)
  .join("\n")}

Exit codes:
  0    conformant, or every failure was expected
  1    not conformant, or an expected failure passes now
  2    the command line, or a file it names, is wrong
  3    the agent could not be started
  130  stopped

Examples:
  acp-kit conformance agent --preset everything -- acp-kit demo-agent
  acp-kit conformance agent --only initialize,cancel --html report.html -- node my-agent.js`;
