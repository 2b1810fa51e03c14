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
      "Starts the client anew for each scenario, with a scripted agent as its agent, and looks at everything that it says. The\n" +
        "client has to come to a turn by itself. What it never does is skipped, with the reason.",
    )
    .option("--prompt <text>", 'what stands for {prompt} (default: "Say hello.")')
    .option("--stdin <text>", "a line that is typed on the client's standard input at its start")
    .option("--close-stdin", "end its standard input behind that line, or at once")
    .option("--cancel-signal <name>", "the signal that makes it cancel the running turn, such as SIGINT")
    .option("--cancel-stdin <text>", "the line that makes it cancel the running turn")
    .option("--permission-stdin <text>", "the line that answers it when it asks for a permission")
    .option("--agent-in-environment", "don't put the agent's command behind the client's words")
    .addOption(
      new Option("--step <seconds>", "the time for each thing that the client has to do (default: 5)").argParser(
        seconds,
      ),
    )
    .addOption(onlyOption)
    .addOption(skipOption)
    .addOption(new Option("--timeout <seconds>", "the time that each scenario has (default: 60)").argParser(seconds))
    .addOption(cwdOption("where the client runs"))
    .option("--jobs <n>", "how many clients run at a time (default: 1)", count)
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
          "Which client? Put its command behind --, as in: acp-kit conformance client -- my-client {agent}",
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
  {agent}         a word of its command that becomes the words of the agent's command
  {agent-string}  the same as one string, also inside a word
  ACP_KIT_AGENT, ACP_KIT_AGENT_JSON
                  the string, and the words as JSON, in its environment
  Without a placeholder the words come last, unless --agent-in-environment.
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
