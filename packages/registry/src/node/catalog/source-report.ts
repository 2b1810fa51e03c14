import type { RegistryProblem } from "./registry-document.js";
import type { RegistrySnapshot } from "./snapshot.js";

/** The state of a source after reading. */
export interface SourceReport {
  readonly name: string;
  /**
   * - `current`: the agents are from the server, or from the cache and confirmed by the server within `maxAgeMs`. With
   *   `offline`: from the cache at any age.
   * - `stale`: the agents are from the cache, because the server could not be reached or its response was refused.
   * - `snapshot`: the agents are from the snapshot of the source, because the server could not be reached and the cache
   *   is empty.
   * - `local`: the agents are from a file, or from a document of the application.
   * - `unavailable`: the source has no agents, because it could not be read.
   */
  readonly state: "current" | "stale" | "snapshot" | "local" | "unavailable";
  /** When the server last sent or confirmed the registry, in milliseconds since 1970. */
  readonly checkedAt: number | undefined;
  /** The day and the origin of the snapshot, if the agents are from a snapshot. */
  readonly snapshot?: Pick<RegistrySnapshot, "takenOn" | "source">;
  readonly problems: readonly RegistryProblem[];
}
