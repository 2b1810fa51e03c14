import type { RecordProcessOptions } from "@acp-kit/testing/node";
import type { AgentCommand } from "../agent-target.js";
import type { Host } from "../host.js";

/** Returns the command of an agent for `recordProcess`. Its environment is complete: `recordProcess` adds nothing. */
export function recordedCommand(
  { identity: _, ...command }: AgentCommand,
  { env }: Host,
): Pick<RecordProcessOptions, "command" | "args" | "env"> {
  return { ...command, env: { ...env, ...command.env } };
}
