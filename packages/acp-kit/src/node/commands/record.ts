import { type Command, InvalidArgumentError } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { recordAgent } from "../record/record-agent.js";
import { cwdOption, showSecretsOption } from "../shared-options.js";

interface RecordOptions extends AgentNameOption {
  readonly out?: string;
  readonly overwrite?: boolean;
  readonly cwd?: string;
  readonly fileContents: boolean;
  readonly maxMegabytes?: number;
  readonly showSecrets?: boolean;
}

/** `acp-kit record`: passes messages between a client and an agent unchanged, and records them. */
export function recordCommand(host: Host): Command {
  const command = new CommandWithAgent("record");
  return command
    .summary("record the messages between a client and an agent")
    .description(
      "Put this command before the agent's command in a client's settings. The command forwards every byte unchanged, in both directions, " +
        "and also signals, the exit code and the ends of streams. It records the messages as JSON Lines.",
    )
    .addAgentOption()
    .option(
      "-o, --out <file>",
      "the file of the recording; if the file exists, the next free name is used: file-2.jsonl, …",
    )
    .option("--overwrite", "replace an existing file")
    .addOption(cwdOption("the working directory of the agent's process"))
    .option(
      "--no-file-contents",
      "leave out file contents: reads, writes, diffs, terminal output, raw tool input and output",
    )
    .option(
      "--max-megabytes <n>",
      "stop recording after this many MiB, but keep forwarding messages (default: 256)",
      readMegabytes,
    )
    .addOption(showSecretsOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: RecordOptions) => {
      const agent = await command.agentOf(words, options, host);
      const { cwd = host.cwd, out, overwrite = false, fileContents, maxMegabytes, showSecrets = false } = options;
      const exitCode = await recordAgent(agent, host, { cwd, out, overwrite, fileContents, maxMegabytes, showSecrets });
      host.exitCode = exitCode as ExitCode; // this command exits with the agent's exit code, whatever it is
    });
}

function readMegabytes(text: string): number {
  const megabytes = Number(text);
  if (!(megabytes > 0)) throw new InvalidArgumentError("Expected a number greater than 0.");
  return megabytes;
}

const afterHelp = `
Without --out, recordings are in ~/.local/state/acp-kit/recordings (or below XDG_STATE_HOME); their names begin with the time.
To show a recording: acp-kit trace FILE. To replay a recording to a client: acp-kit replay FILE.

Exit codes:
  that of the agent, or the signal that ended the agent; 127 if the command does not exist, 126 if it can't be started
  1 if the agent exited with 0, but the recording is incomplete, because it could not be written   2 wrong command line or file

Examples:
  acp-kit record --out session.jsonl -- gemini --acp
  acp-kit run --prompt "Explain this project" -- acp-kit record --out session.jsonl -- opencode acp`;
