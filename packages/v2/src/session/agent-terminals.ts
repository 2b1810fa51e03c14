import type { SessionUpdate } from "@acp-kit/types/v2";
import { isObject, type JsonObject } from "../codec/objects.js";
import { base64Of } from "./base64.js";

/** The members of a tool call's `_meta` in which agents of version 1 report the terminals that they run. */
const members = ["terminal_info", "terminal_output", "terminal_output_delta", "terminal_exit"] as const;

/**
 * Takes the reports about terminals out of the `_meta` of a tool call. Version 2 has updates for them.
 *
 * @returns the updates, and the rest of `_meta`.
 * @see https://agentclientprotocol.com/protocol/v2/terminals
 */
export function takeTerminals(toolCallId: string, meta: JsonObject): { updates: SessionUpdate[]; meta: JsonObject } {
  const rest = { ...meta };
  const updates: SessionUpdate[] = [];
  for (const member of members) {
    const report = meta[member];
    if (!isObject(report)) continue;
    delete rest[member];
    const { terminal_id, cwd, data, exit_code, signal } = report;
    const terminalId = typeof terminal_id === "string" ? terminal_id : toolCallId;
    if (member === "terminal_info")
      updates.push({ sessionUpdate: "terminal_update", terminalId, ...(typeof cwd === "string" && { cwd }) });
    else if (member === "terminal_exit") {
      const exitStatus = {
        ...(Number.isInteger(exit_code) && { exitCode: exit_code as number }),
        ...(typeof signal === "string" && { signal }),
      };
      updates.push({ sessionUpdate: "terminal_update", terminalId, exitStatus });
    } else if (typeof data === "string")
      updates.push({ sessionUpdate: "terminal_output_chunk", terminalId, data: base64Of(data) });
  }
  return { updates, meta: rest };
}
