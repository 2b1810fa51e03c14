import { isRpcError } from "@acp-kit/client";
import { ErrorCode } from "@acp-kit/types/v2";
import type { AgentTarget } from "../agent-target.js";
import type { Host } from "../host.js";
import type { Examination } from "./examination.js";
import { type ExamineOptions, examineAgent } from "./examine-agent.js";

/**
 * Examines an agent. With the choice `auto`, an agent that chooses version 2 is also examined over version 1.
 *
 * @returns the findings, and the error that ended the first examination early, if any. Never rejects.
 */
export async function examineVersions(
  agent: AgentTarget,
  host: Host,
  options: ExamineOptions,
): Promise<{ readonly examination: Examination; readonly error: unknown }> {
  const found = await examineAgent(agent, host, options);
  const { examination, error } = found;
  if (options.protocol !== "auto" || examination.protocolVersion !== 2 || error !== undefined) return found;
  const older = await examineAgent(agent, host, { ...options, protocol: "1" });
  if (options.stop.aborted) return found;
  const speaksOnly2 = isRpcError(older.error) && older.error.code === ErrorCode.unsupportedProtocolVersion;
  return { examination: { ...examination, version1: speaksOnly2 ? null : older.examination }, error };
}
