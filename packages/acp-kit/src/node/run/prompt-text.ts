import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";

/** Where a prompt may stand on the command line. */
export interface GivenPrompt {
  /** The words before `--`. */
  readonly words: readonly string[];
  /** The value of `--prompt`. */
  readonly option: string | undefined;
}

/**
 * The prompt of a command line: its words, or the option, else everything that comes over standard input. Doesn't wait for a terminal: a
 * user who forgot the prompt would see nothing happen.
 *
 * @throws {CommandFailure} when there is no prompt, an empty one, or two.
 */
export async function readPrompt({ words, option }: GivenPrompt, { stdin }: Host): Promise<string> {
  if (words.length > 0 && option !== undefined) {
    throw usageFailure(`There are two prompts: "${words.join(" ")}" and --prompt "${option}". Give one of them.`);
  }
  const given = words.length > 0 ? words.join(" ") : option;
  if (given === undefined && stdin.isTTY) {
    throw usageFailure("No prompt: put it before --, as in: acp-kit run 'Hello' -- gemini --acp, or pipe it in.");
  }
  const text = given ?? (await readAll(stdin));
  if (text.trim() === "") {
    throw usageFailure(
      given === undefined
        ? "The prompt is empty: nothing came over standard input. Put it before --, as in: acp-kit run 'Hello' -- gemini --acp"
        : "The prompt is empty.",
    );
  }
  return given ?? text.replace(/\r?\n$/, ""); // the line end of `echo` is not meant
}

async function readAll(stdin: Host["stdin"]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}
