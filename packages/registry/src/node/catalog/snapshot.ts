import snapshot from "./snapshot.json" with { type: "json" };

/** A copy of a registry, published in this package. */
export interface RegistrySnapshot {
  /** The day of the copy, as `YYYY-MM-DD`. */
  readonly takenOn: string;
  /** How the copy was made. */
  readonly source: string;
  /** The registry's index. */
  readonly registry: unknown;
}

/** The copy of the public registry in this package, for machines that have never reached the registry. */
export const registrySnapshot: RegistrySnapshot = snapshot;
