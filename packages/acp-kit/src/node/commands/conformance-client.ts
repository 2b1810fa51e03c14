import { Argument, Command, Option } from "commander";
import { usageFailure } from "../command-failure.js";
import { runClientConformance } from "../conformance/run-client-conformance.js";
import type { Host } from "../host.js";
import { cwdOption } from "../shared-options.js";
import {
  badgeOption,
  baselineOption,
  type ConformanceOptions,
  confirmOption,
  count,
  expectedFailuresOption,
  htmlOption,
  jsonOption,
  junitOption,
  onlyOption,
  seconds,
  skipOption,
} from "./conformance-arguments.js";

interface ClientOptions extends ConformanceOptions {
  readonly stdin?: string;
  readonly closeStdin?: boolean;
  readonly prompt?: string;
  readonly cancelSignal?: string;
  readonly cancelStdin?: string;
  readonly permissionStdin?: string;
  readonly agentInEnvironment?: boolean;
  readonly step?: number;
}

/** `acp-kit conformance client`. */
export function conformanceClientCommand(host: Host): Command {
  return new Command("client")
    .usage("[options] -- <client command…>")
    .passThroughOptions()
    .addArgument(new Argument("[client...]", "the command that starts the client"))
    .summary("test a client")
    .description(
      "Starts the client once per scenario, with a scripted agent, and checks every message that the client sends. The client has to send\n" +
        "a prompt without a user. A rule that the client gives no occasion to check is skipped, with the reason.",
    )
    .option("--prompt <text>", 'the text for {prompt} (default: "Say hello.")')
    .option("--stdin <text>", "a line to write to the client's standard input at its start")
    .option("--close-stdin", "end the client's standard input after that line, or at once")
    .option("--cancel-signal <name>", "the signal that makes the client cancel the running turn, such as SIGINT")
    .option("--cancel-stdin <text>", "the line on standard input that makes the client cancel the running turn")
    .option("--permission-stdin <text>", "the line on standard input that replies to the client's permission prompt")
    .option("--agent-in-environment", "don't append the agent's command to the client's command")
    .addOption(new Option("--step <seconds>", "time limit of each step of the client (default: 5)").argParser(seconds))
    .addOption(onlyOption)
    .addOption(skipOption)
    .addOption(new Option("--timeout <seconds>", "time limit of each scenario (default: 60)").argParser(seconds))
    .addOption(cwdOption("the client's working directory"))
    .option("--jobs <n>", "maximum number of clients that run at the same time (default: 1)", count)
    .addOption(jsonOption)
    .addOption(junitOption)
    .addOption(htmlOption)
    .addOption(badgeOption)
    .addOption(baselineOption)
    .addOption(expectedFailuresOption)
    .addOption(confirmOption)
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ClientOptions) => {
      if (words.length === 0) {
        throw usageFailure(
          "The client is missing. Put its command after --, as in: acp-kit conformance client -- my-client {agent}",
        );
      }
      const {
        timeout: timeoutMs,
        step,
        stdin,
        closeStdin,
        prompt,
        cancelSignal,
        cancelStdin,
        permissionStdin,
        ...rest
      } = options;
      host.exitCode = await runClientConformance(host, {
        ...rest,
        command: words,
        agentInEnvironment: options.agentInEnvironment ?? false,
        driving: {
          ...(stdin !== undefined && { stdin }),
          ...(closeStdin && { closeStdin }),
          ...(prompt !== undefined && { prompt }),
          ...(cancelSignal !== undefined && { cancelSignal }),
          ...(cancelStdin !== undefined && { cancelStdin }),
          ...(permissionStdin !== undefined && { permissionStdin }),
          ...(step !== undefined && { stepMs: step }),
        },
        timeoutMs,
      });
    });
}

const afterHelp = `
Where the client finds its agent:
  {agent}         an argument of its command, replaced by the arguments of the agent's command
  {agent-string}  the same as one string, also inside a word
  ACP_KIT_AGENT, ACP_KIT_AGENT_JSON
                  the string, and the arguments as JSON, in its environment
  Without a placeholder the agent's command comes last, unless --agent-in-environment.
Also in its command: {prompt}, and {cwd}, an empty directory.

Exit codes:
  0    conformant, or every failure was expected
  1    not conformant, or an expected failure passed
  2    the command line, or a file that it names, is wrong
  3    inconclusive: the client never prompts, or most scenarios could not be decided
  130  stopped; the report has what was done until then

Examples:
  acp-kit conformance client -- node my-client.js --prompt {prompt} --
  acp-kit conformance client --cancel-signal SIGINT -- my-client --agent {agent-string} --cwd {cwd}
  acp-kit conformance client --stdin hello --close-stdin --only permissions,files -- my-client`;
