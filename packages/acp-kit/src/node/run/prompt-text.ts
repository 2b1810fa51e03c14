import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";

/** The parts of the command line that can contain the prompt. */
export interface GivenPrompt {
  /** The words before `--`. */
  readonly words: readonly string[];
  /** The value of `--prompt`. */
  readonly option: string | undefined;
}

/**
 * Returns the prompt of a command line: its words or the option; without them, all of standard input. The function
 * doesn't read from a terminal, because a user who forgot the prompt would only see that nothing happens.
 *
 * @throws {CommandFailure} when there is no prompt, an empty prompt, or two prompts.
 */
export async function readPrompt({ words, option }: GivenPrompt, { stdin }: Host): Promise<string> {
  if (words.length > 0 && option !== undefined) {
    throw usageFailure(`There are two prompts: "${words.join(" ")}" and --prompt "${option}". Give one of them.`);
  }
  const given = words.length > 0 ? words.join(" ") : option;
  if (given === undefined && stdin.isTTY) {
    throw usageFailure(
      "The prompt is missing: put it before --, as in: acp-kit run 'Hello' -- gemini --acp, or pipe it in.",
    );
  }
  const text = given ?? (await readAll(stdin));
  if (text.trim() === "") {
    throw usageFailure(
      given === undefined
        ? "The prompt is empty: standard input was empty. Put it before --, as in: acp-kit run 'Hello' -- gemini --acp"
        : "The prompt is empty.",
    );
  }
  return given ?? text.replace(/\r?\n$/, ""); // removes the line end that `echo` adds
}

async function readAll(stdin: Host["stdin"]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}
