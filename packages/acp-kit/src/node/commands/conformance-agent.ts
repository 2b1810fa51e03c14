import { type PromptPurpose, promptPresets, promptPurposes } from "@acp-kit/conformance";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { runAgentConformance } from "../conformance/run-agent-conformance.js";
import type { ConformanceOptions } from "../conformance/run-options.js";
import type { Host } from "../host.js";
import { sessionCwdOption, sessionDirectory } from "../shared-options.js";
import {
  addReportOptions,
  count,
  modelPort,
  onlyOption,
  seconds,
  skipOption,
  testedProtocolOption,
} from "./conformance-arguments.js";

type Preset = keyof typeof promptPresets;

interface AgentOptions extends ConformanceOptions, AgentNameOption {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly preset?: Preset;
  readonly prompt?: readonly [PromptPurpose, string][];
  readonly cancelPrompt?: string;
  readonly authMethod?: string;
  readonly config?: string;
  readonly initializeTimeout?: number;
  readonly requestTimeout?: number;
  readonly turnTimeout?: number;
  readonly model?: number;
}

/** `acp-kit conformance agent`. */
export function conformanceAgentCommand(host: Host): Command {
  const command = new CommandWithAgent("agent", { parent: "conformance" });
  command
    .summary("test whether an agent follows the protocol")
    .description(
      "Starts the agent once per scenario and checks every message that the agent sends. Skips a rule that does not apply to the agent, and " +
        "reports why. Reports a rule that no scenario checks as not tested, never as passed.",
    )
    .addOption(
      new Option("--preset <name>", "a set of prompts for the agent (default: plain)").choices(
        Object.keys(promptPresets),
      ),
    )
    .addOption(
      new Option("--prompt <purpose=text>", "the prompt for a purpose (see below); may be repeated").argParser(
        addPrompt,
      ),
    )
    .option("--cancel-prompt <text>", "short for --prompt long=<text>")
    .addOption(onlyOption)
    .addOption(skipOption)
    .option("--timeout <seconds>", "the time limit of each scenario (default: 300)", seconds)
    .option("--initialize-timeout <seconds>", "the time limit for the response to initialize (default: 30)", seconds)
    .option("--request-timeout <seconds>", "the time limit for an ordinary request (default: 20)", seconds)
    .option("--turn-timeout <seconds>", "the time limit for a turn (default: 60)", seconds)
    .option("--model <fake>", "start a scripted model for the agent: fake, or fake:<port>", modelPort)
    .addOption(testedProtocolOption)
    .option(
      "--home <directory>",
      "a folder whose contents are copied into the home folder of each worker, see --jobs (default: empty)",
    )
    .option("--shared-home", "use your own home folder, for agents that store their login there")
    .option("--auth-method <id>", "the id of the agent's login method to use")
    .addRemoteOptions()
    .addOption(sessionCwdOption("the working directory of the agent's process; sessions get separate directories"))
    .option(
      "--jobs <n>",
      "maximum number of agents that run at the same time (default: the number of processors, up to 8; 1 with --shared-home or --url)",
      count,
    );
  return addReportOptions(command)
    .option("--config <file>", "a JSON file with any of: preset, prompts, only, skip, authMethod, initializeMeta, env")
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: AgentOptions) => {
      const { prompt, cancelPrompt, agent: _, ...rest } = options;
      const agent = await command.targetOf(words, options, host);
      host.exitCode = await runAgentConformance(host, {
        ...rest,
        agent,
        cwd: sessionDirectory(agent, { ...options, cwd: options.cwd ?? host.cwd }, host),
        prompts: { ...Object.fromEntries(prompt ?? []), ...(cancelPrompt !== undefined && { long: cancelPrompt }) },
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
  1    not conformant, or an expected failure passed
  2    wrong command line or file
  3    inconclusive: a login is missing, no model responds, too many scenarios time out; or the agent can't be started
  130  cancelled; the report contains the scenarios that have run

Examples:
  acp-kit conformance agent --preset everything -- acp-kit demo-agent
  acp-kit conformance agent --only initialize,cancel --html report.html -- node my-agent.js
  acp-kit conformance agent --url https://agents.example.com/acp --token-file token`;
