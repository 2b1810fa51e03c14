import { Argument, Command, Option } from "commander";
import { usageFailure } from "../command-failure.js";
import { runClientConformance } from "../conformance/run-client-conformance.js";
import type { ConformanceOptions } from "../conformance/run-options.js";
import type { Host } from "../host.js";
import { cwdOption } from "../shared-options.js";
import {
  addReportOptions,
  count,
  onlyOption,
  seconds,
  skipOption,
  testedProtocolOption,
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
  const command = new Command("client")
    .usage("[options] -- <client command…>")
    .passThroughOptions()
    .addArgument(new Argument("[client...]", "the command that starts the client"))
    .summary("test whether a client follows the protocol")
    .description(
      "Starts the client once per scenario, with a scripted agent, and checks every message that the client sends. The client must send a " +
        "prompt without input of a user: see --prompt and --stdin. Skips a rule that does not apply to the client, and reports why.",
    )
    .option("--prompt <text>", 'the text for {prompt} (default: "Say hello.")')
    .option("--stdin <text>", "a line to write to the client's standard input at its start")
    .option("--close-stdin", "close the client's standard input after the line of --stdin, or at the start")
    .option("--cancel-signal <name>", "the signal that makes the client cancel the running turn, such as SIGINT")
    .option("--cancel-stdin <text>", "the line on standard input that makes the client cancel the running turn")
    .option("--permission-stdin <text>", "the line on standard input that replies to the client's permission prompt")
    .option("--agent-in-environment", "don't append the agent's command to the client's command")
    .addOption(
      new Option("--step <seconds>", "the time limit of each step of the client (default: 5)").argParser(seconds),
    )
    .addOption(testedProtocolOption)
    .addOption(onlyOption)
    .addOption(skipOption)
    .addOption(new Option("--timeout <seconds>", "the time limit of each scenario (default: 120)").argParser(seconds))
    .option(
      "--home <directory>",
      "a folder whose contents are copied into the home folder of each worker, see --jobs (default: empty)",
    )
    .option("--shared-home", "use your own home folder, for clients that store their settings there")
    .addOption(cwdOption("the client's working directory"))
    .option(
      "--jobs <n>",
      "maximum number of clients that run at the same time (default: the number of processors, up to 8; 1 with --shared-home)",
      count,
    );
  return addReportOptions(command)
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ClientOptions) => {
      if (words.length === 0) {
        throw usageFailure(
          "The client is missing. Put its command after --, as in: acp-kit conformance client -- my-client {agent}",
        );
      }
      const { step, stdin, closeStdin, prompt, cancelSignal, cancelStdin, permissionStdin, ...rest } = options;
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
          ...(step !== undefined && { stepTimeoutMs: step }),
        },
      });
    });
}

const afterHelp = `
Where the client finds its agent:
  {agent}         an argument of the client's command, replaced by the agent's command, one argument per word
  {agent-string}  replaced by the agent's command as one string, also inside an argument
  ACP_KIT_AGENT, ACP_KIT_AGENT_JSON
                  environment variables: the agent's command as one string, and as a JSON list
  Without a placeholder, the agent's command is appended, unless --agent-in-environment is set.
Other placeholders: {prompt}; {cwd}, an empty directory.

Exit codes:
  0    conformant, or every failure was expected
  1    not conformant, or an expected failure passed
  2    wrong command line or file
  3    inconclusive: the client sends no prompt, or most scenarios can't be decided
  130  cancelled; the report contains the scenarios that have run

Examples:
  acp-kit conformance client -- node my-client.js --prompt {prompt} --
  acp-kit conformance client --cancel-signal SIGINT -- my-client --agent {agent-string} --cwd {cwd}
  acp-kit conformance client --stdin hello --close-stdin --only permissions,files -- my-client`;
