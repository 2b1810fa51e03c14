import { type Platform, packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";

/** One importable module of a published package. */
export interface Entry {
  readonly packageName: string;
  /** The specifier of an import. */
  readonly specifier: string;
  readonly platform: Platform;
  /** Whether its declarations refer to those of third-party packages, which may not compile. */
  readonly foreign: boolean;
}

/** Every code entry of every package. */
export const allEntries: readonly Entry[] = Object.entries(packageBoundaries).flatMap(([packageName, boundary]) =>
  Object.entries(boundary.entries).map(([subpath, platform]) => ({
    packageName,
    specifier: packageName + subpath.slice(1),
    platform,
    foreign: (boundary.peers ?? []).length > 0,
  })),
);

/** The entries that run anywhere with web globals. */
export const neutralEntries: readonly Entry[] = allEntries.filter(({ platform }) => platform === "neutral");
