import type { RecordedExit } from "@acp-kit/testing/node";
import type { Host } from "../host.js";
import { dieOf } from "./die-of.js";

/**
 * Ends this process by the signal that ended the agent, or returns the agent's exit code: 127 for a command that does
 * not exist, 126 for a command that can't be started. Reports an agent that could not be started.
 *
 * @param name the command of `acp-kit`, for the report.
 */
export async function endAsAgent(
  { exitCode, signal, error }: RecordedExit,
  command: string,
  name: string,
  { stderr }: Pick<Host, "stderr">,
): Promise<number> {
  if (error !== undefined) stderr.line(`acp-kit ${name}: can't start "${command}": ${error.message}`);
  if (signal !== null) await dieOf(signal);
  if (error !== undefined) return error.code === "ENOENT" ? 127 : 126;
  return exitCode ?? 1;
}
