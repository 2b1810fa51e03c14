import { CommanderError } from "commander";
import { program } from "./program.js";

/**
 * Runs the command line with these words and resolves with the exit code. It leaves `process` alone otherwise.
 *
 * @param words what stands behind `acp-kit`, such as `["run", "--prompt", "hi", "--", "my-agent"]`.
 */
export async function main(words: readonly string[]): Promise<number> {
  try {
    await program()
      .exitOverride()
      .parseAsync([...words], { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
