const finalStatuses: readonly string[] = ["completed", "failed", "cancelled"];

/** Returns whether a tool call with this status has ended. An unknown status is one of a call that still runs. */
export function isFinalStatus(status: string | null | undefined): boolean {
  return status != null && finalStatuses.includes(status);
}
