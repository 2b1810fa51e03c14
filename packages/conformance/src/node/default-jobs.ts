import { availableParallelism } from "node:os";

/** The most processes of a peer that run at the same time by default: each may need hundreds of megabytes. */
const MAX_JOBS = 8;

/**
 * Returns the number of workers if the caller sets none: one for each processor, up to 8. It is 1 for peers that share
 * a home folder or run in this process, because they could disturb each other.
 */
export function defaultJobs(peer: object, home: unknown): number {
  return typeof peer === "function" || home === "shared" ? 1 : Math.min(availableParallelism(), MAX_JOBS);
}
