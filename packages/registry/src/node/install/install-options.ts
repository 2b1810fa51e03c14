import type { ArchiveLimits } from "../archive/archive-limits.js";
import { archiveDefaults } from "../archive/archive-limits.js";
import type { Variables } from "../files/directories.js";
import type { OnInstallProgress } from "./install-progress.js";

/** The limits of installations. */
export interface InstallLimits extends ArchiveLimits {
  /** Maximum size of a download, in bytes. */
  readonly maxDownloadBytes: number;
  /** How long a server may send nothing, in milliseconds. */
  readonly stallMs: number;
  /** How long `npm` or `uv` may take, in milliseconds. */
  readonly installerMs: number;
  /** How long to wait for another process that installs the same agent, in milliseconds. */
  readonly lockMs: number;
}

/** The default limits of installations. */
export const installDefaults: InstallLimits = {
  ...archiveDefaults,
  maxDownloadBytes: 1_073_741_824,
  stallMs: 30_000,
  installerMs: 900_000,
  lockMs: 900_000,
};

/** @internal What every kind of installation gets. */
export interface InstallContext {
  /** An empty folder of its own, which stays where it is. */
  readonly folder: string;
  readonly env: Variables;
  readonly limits: InstallLimits;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnInstallProgress;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** @internal How an installed agent is started: paths are relative to its folder. */
export interface InstalledLaunch {
  /** The program: a file of the folder. */
  readonly file: string;
  /** Whether the file is a script for Node. */
  readonly isNodeScript: boolean;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** @internal What an installation has put into its folder. */
export interface InstallResult {
  readonly launch: InstalledLaunch;
  /** The version of the package, or of the registry's entry. */
  readonly version: string;
  /** npm's `integrity` of the package, or the SHA-256 of the download. */
  readonly integrity?: string;
  /** What the user should know, such as a Node that is too old. */
  readonly notes: readonly string[];
}
