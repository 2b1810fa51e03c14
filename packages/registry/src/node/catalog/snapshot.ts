import snapshot from "./snapshot.json" with { type: "json" };

/** A registry as it was at some time, which is published in this package. */
export interface RegistrySnapshot {
  /** The day it was taken, as `YYYY-MM-DD`. */
  readonly takenOn: string;
  /** How it was taken. */
  readonly source: string;
  /** The registry's index. */
  readonly registry: unknown;
}

/** The snapshot that is published in this package, for machines that have never reached the public registry. */
export const registrySnapshot: RegistrySnapshot = snapshot;
