import { Command, InvalidArgumentError, Option } from "commander";
import type { Host } from "../host.js";
import { replayFile } from "../replay/replay-file.js";

interface ReplayCommandOptions {
  readonly as: "agent" | "client";
  readonly strict?: boolean;
  readonly keepPaths?: boolean;
  readonly speed?: number;
  readonly run: number;
}

/** `acp-kit replay`: acts as the agent or the client of a recording. */
export function replayCommand(host: Host): Command {
  return new Command("replay")
    .summary("replay a recording as its agent, on standard input and output, or as its client")
    .description(
      "Sends the messages of the recorded agent again, in the recorded order. Compares the messages of the live client with the recorded ones, " +
        "ignoring ids and the working directory, and prints differences as a diff on standard error.",
    )
    .usage("[options] <file> [-- <agent command…>]")
    .passThroughOptions(false)
    .argument("<file>", "the recording")
    .argument(
      "[agent...]",
      "with --as client: the command that starts the agent (default: the agent is on standard input and output)",
    )
    .addOption(
      new Option("--as <side>", "the role that the recording plays").choices(["agent", "client"]).default("agent"),
    )
    .option("--strict", "end at the first difference, with exit code 1")
    .option(
      "--keep-paths",
      "keep the recorded paths (default: replace the recorded working directory by the current one)",
    )
    .option("--speed <n>", "keep the recorded pauses, this many times faster (default: no pauses)", readPositive)
    .option("--run <n>", "the number of the connection to replay, if the recording has several", readPositive, 1)
    .addHelpText("after", afterHelp)
    .action(async (file: string, agent: string[], options: ReplayCommandOptions) => {
      const { as, strict = false, keepPaths = false, speed, run } = options;
      host.exitCode = await replayFile({ file, agent, as, strict, keepPaths, speed, run }, host);
    });
}

function readPositive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError("Expected a number greater than 0.");
  return value;
}

const afterHelp = `
Exit codes:
  0 done   1 a difference, with --strict   2 wrong command line or file   3 the agent did not start, or ended too early
  130 cancelled by a signal
  otherwise that of the recorded agent, if it exited during a turn

Examples:
  acp-kit run --prompt "Explain this project" -- acp-kit replay session.jsonl
  acp-kit replay --as client --strict session.jsonl -- my-agent --acp`;
