import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";

/**
 * What to prompt: what was given, else everything that comes over standard input. A terminal is not waited for: somebody who forgot
 * the prompt would sit before nothing.
 *
 * @throws {CommandFailure} when there is no prompt, or an empty one.
 */
export async function readPrompt(given: string | undefined, { stdin }: Host): Promise<string> {
  if (given === undefined && stdin.isTTY) {
    throw usageFailure(
      "No prompt: give one with --prompt TEXT, or pipe it in: echo 'Hello' | acp-kit run -- gemini --acp",
    );
  }
  const text = given ?? (await readAll(stdin));
  if (text.trim() === "") throw usageFailure("The prompt is empty.");
  return given ?? text.replace(/\r?\n$/, ""); // the line end of `echo` is not meant
}

async function readAll(stdin: Host["stdin"]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}
