import { type Command, InvalidArgumentError, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import {
  type RunInspectorOptions,
  runAgentInspector,
  runProxyInspector,
  runRecordingInspector,
} from "../inspect/run-inspector.js";
import { installCommand } from "../install-command.js";
import type { RemoteOptions } from "../remote-options.js";
import { cwdOption, showSecretsOption } from "../shared-options.js";

interface InspectOptions extends RemoteOptions, AgentNameOption {
  readonly proxy?: boolean;
  readonly port?: number;
  readonly cwd?: string;
  readonly open?: boolean;
  readonly showSecrets?: boolean;
}

/** `acp-kit inspect`: shows the conversation of an agent beside its messages, in a web page on this machine. */
export function inspectCommand(host: Host): Command {
  const command = new CommandWithAgent("inspect", {
    before: { name: "recordings", description: "a recording to show, or two to compare" },
  });
  return command
    .usage(
      "[options] --agent <name> [-- <agent arguments…>]\n       acp-kit inspect [options] -- <agent command…>\n" +
        "       acp-kit inspect [options] <recording> [recording to compare]",
    )
    .summary("watch and control an agent in a web page: the conversation beside its messages")
    .description(
      "Serves a web page on 127.0.0.1 and prints its address, which contains a secret. The page shows the conversation as a user sees it, beside " +
        "every message with its timing and its faults. The page has a control for every request of a client.",
    )
    .addRemoteOptions()
    .option("--proxy", "run as the agent of another client: forward every byte unchanged, and show the messages")
    .addOption(
      new Option(
        "--port <port>",
        "the port of the page (default: a free port); with --proxy, a free port if this one is taken",
      ).argParser(readPort),
    )
    .option(
      "--open",
      "open the page in a browser (default: on a desktop, at a terminal; not with --proxy, in CI or over SSH)",
    )
    .option("--no-open", "only print the address")
    .addOption(cwdOption())
    .addOption(showSecretsOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], given: InspectOptions) => {
      const { proxy = false, port = 0, cwd = host.cwd, showSecrets = false, open, url } = given;
      if (showSecrets) host.redactor = undefined;
      const options: RunInspectorOptions = { port, cwd, showSecrets, open };
      const hasAgent = command.namesAgent(words) || given.agent !== undefined || url !== undefined;
      if (words.length > 0 && (hasAgent || proxy)) {
        throw usageFailure(
          `"${words[0]}" names a recording, but the command line also names an agent. Give one of them.`,
        );
      }
      if (words.length > 2) throw usageFailure("At most two recordings can be compared.");
      if (words.length > 0) return runRecordingInspector(words, host, options);
      if (!proxy) return runAgentInspector(await command.targetOf(words, given, host), host, options);
      if (url !== undefined) throw usageFailure("--proxy needs the command of an agent after --, not --url.");
      const agent = await command.agentOf(words, given, host);
      // This command exits with the agent's exit code, whatever it is.
      host.exitCode = (await runProxyInspector(agent, host, options)) as ExitCode;
    });
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("Expected a port: 0 to 65535.");
}

const afterHelp = (): string => `
The command needs the package @acp-kit/inspector: ${installCommand("@acp-kit/inspector")}

Examples:
  acp-kit inspect -- gemini --acp
  acp-kit inspect --url wss://agents.example.com/acp --token-file token
  acp-kit inspect session.jsonl
  acp-kit inspect before.jsonl after.jsonl
  acp-kit inspect --proxy -- gemini --acp     (as the agent's command in an editor's settings)`;
