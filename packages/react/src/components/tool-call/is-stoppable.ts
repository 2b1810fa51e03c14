import type { ToolCallEntry, TranscriptTerminal } from "@acp-kit/client";

const final: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Whether the agent can stop a tool call or a terminal alone, and it has not ended. */
export function isStoppable(part: ToolCallEntry | TranscriptTerminal | undefined): boolean {
  if (part?.canCancel !== true) return false;
  return "exit" in part ? part.exit === undefined : !("status" in part && final.has(part.status));
}
