import { Argument, Command } from "commander";
import { relayRemote } from "../connect/relay-remote.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { createLog, type LogLevel } from "../log.js";
import { ownStreams } from "../record/own-streams.js";
import { type RemoteOptions, remoteTarget, tokenFileOption, tokenOption } from "../remote-options.js";
import { logLevelOption } from "../shared-options.js";

interface ConnectOptions extends Omit<RemoteOptions, "url"> {
  readonly logLevel?: LogLevel;
}

/** `acp-kit connect`: makes a remote agent available as a command, for clients that can only start commands. */
export function connectCommand(host: Host): Command {
  return new Command("connect")
    .summary("make a remote agent available on standard input and output, for editors that only start commands")
    .description(
      "Configure this command as the agent's command in an editor. The command forwards every message unchanged, in both directions. If one " +
        "side does not read, the other side waits. The command exits when the editor closes its standard input.",
    )
    .addArgument(new Argument("<url>", "the URL of the agent, such as https://agents.example.com/acp or wss://…"))
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (url: string, options: ConnectOptions) => {
      const target = remoteTarget(url, options, host);
      const log = createLog(host, options.logLevel ?? "warn");
      using interrupts = listenForInterrupts(host);
      const { stdin: input, stdout: output } = ownStreams();
      const onMalformed = (message: string): void => log.warn(`skipped: ${message}`);
      await relayRemote(target, { input, output, stop: interrupts.stop, log, onMalformed });
      host.exitCode = ExitCode.ok;
    });
}

const afterHelp = `
Exit codes:
  0 the editor closed standard input, or a signal ended the command   2 wrong command line or file
  3 the agent can't be reached, or the connection is lost   5 the agent did not respond in time   6 the token is not valid

Example, in an editor's settings:
  "command": "acp-kit", "args": ["connect", "https://agents.example.com/acp", "--token-file", "/home/me/.acp-token"]`;
