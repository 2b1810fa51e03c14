import { house, type Platform } from "@acp-kit/workspace-tests/house";

/** One importable module of a published package. */
export interface Entry {
  readonly packageName: string;
  /** What one writes in an import. */
  readonly specifier: string;
  readonly platform: Platform;
  /** Its declarations name those of packages that aren't ours; whether these compile is not ours to say. */
  readonly foreign: boolean;
}

/** Every entry with code, of every package. */
export const allEntries: readonly Entry[] = Object.entries(house).flatMap(([packageName, rooms]) =>
  Object.entries(rooms.entries).map(([subpath, platform]) => ({
    packageName,
    specifier: packageName + subpath.slice(1),
    platform,
    foreign: (rooms.peers ?? []).length > 0,
  })),
);

/** Those that run anywhere with web globals. */
export const neutralEntries: readonly Entry[] = allEntries.filter(({ platform }) => platform === "neutral");
