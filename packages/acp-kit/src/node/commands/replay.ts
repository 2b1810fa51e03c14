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

/** `acp-kit replay`: a recording that is an agent, or a client. */
export function replayCommand(host: Host): Command {
  return new Command("replay")
    .summary("be the agent of a recording on standard input and output, or its client")
    .description(
      "Says again what the recorded agent said, each thing at its place in the dialogue. What the live client says is found\n" +
        "by its meaning, whatever its ids and its folder are; where it differs, that is told as a diff on standard error.",
    )
    .usage("[options] <file> [-- <agent command…>]")
    .passThroughOptions(false)
    .argument("<file>", "the recording")
    .argument(
      "[agent...]",
      "with --as client: the command that starts the agent to talk to (default: who is on standard input and output)",
    )
    .addOption(new Option("--as <side>", "which side to be").choices(["agent", "client"]).default("agent"))
    .option("--strict", "end at the first difference, with exit code 1")
    .option(
      "--keep-paths",
      "take paths as they are, instead of putting the live folder in the place of the recorded one",
    )
    .option("--speed <n>", "with the pauses that there were, this much faster (default: no pauses)", readPositive)
    .option("--run <n>", "which connection of the recording, if it has several", readPositive, 1)
    .addHelpText("after", afterHelp)
    .action(async (file: string, agent: string[], options: ReplayCommandOptions) => {
      const { as, strict = false, keepPaths = false, speed, run } = options;
      host.exitCode = await replayFile({ file, agent, as, strict, keepPaths, speed, run }, host);
    });
}

function readPositive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new InvalidArgumentError("It takes a number over 0.");
  return value;
}

const afterHelp = `
Exit codes:
  0 done   1 it differed, with --strict   2 usage   otherwise that of the recorded agent, if it died in its work

Examples:
  acp-kit run --prompt "Explain this project" -- acp-kit replay session.jsonl
  acp-kit replay --as client --strict session.jsonl -- my-agent --acp`;
