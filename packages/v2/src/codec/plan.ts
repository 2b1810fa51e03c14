import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";

/** The id of the only plan of a session of version 1. */
export const mainPlan = "main";

/** Creates the update of a plan whose entries are those of version 1. */
export function planUpdate(
  planId: string,
  entries: v1.PlanEntry[],
): Extract<v2.SessionUpdate, { sessionUpdate: "plan_update" }> {
  return { sessionUpdate: "plan_update", plan: { type: "items", planId, entries } };
}

const v1Statuses: ReadonlySet<string> = new Set<v1.PlanEntryStatus>(["pending", "in_progress", "completed"]);
const v1Priorities: ReadonlySet<string> = new Set<v1.PlanEntryPriority>(["high", "medium", "low"]);

/**
 * Converts the entries of a plan of version 2, whose statuses and priorities are open. A cancelled entry is completed,
 * because nothing more happens to it.
 *
 * @see https://agentclientprotocol.com/protocol/v2/agent-plan
 */
export function planEntriesToV1(entries: readonly v2.PlanEntry[], lost: Lost): v1.PlanEntry[] {
  return entries.map((entry) => {
    const hasStatus = v1Statuses.has(entry.status);
    const hasPriority = v1Priorities.has(entry.priority);
    if (hasStatus && hasPriority) return entry as v1.PlanEntry;
    lost("plan_entry");
    return {
      ...entry,
      status: hasStatus ? (entry.status as v1.PlanEntryStatus) : entry.status === "cancelled" ? "completed" : "pending",
      priority: hasPriority ? (entry.priority as v1.PlanEntryPriority) : "medium",
    };
  });
}
