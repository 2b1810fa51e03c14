import type { AgentLedger } from "@acp-kit/stdio/node";
import type { ArchiveLimits } from "../archive/archive-limits.js";
import type { Variables } from "../files/directories.js";
import type { OnInstallProgress } from "./install-progress.js";

/** The limits of installations that are options. */
export interface InstallSizes {
  /** Maximum size of a download, in bytes. Default: 1 GiB. */
  readonly maxDownloadBytes: number;
  /** Maximum size of all files of an archive together, in bytes. Default: 4 GiB. */
  readonly maxUnpackedBytes: number;
}

/** The limits of installations that are not options. Tests choose others. */
export interface FixedInstallLimits extends Pick<ArchiveLimits, "maxEntries"> {
  /** How long a server may send nothing during a download, in milliseconds. */
  readonly stallMs: number;
  /** Maximum run time of `npm` or `uv`, in milliseconds. */
  readonly installerMs: number;
  /** Maximum time to wait for another process that installs the same agent, in milliseconds. */
  readonly lockMs: number;
}

/** All limits of installations. */
export type InstallLimits = InstallSizes & FixedInstallLimits;

// The largest known agent has 400 MB and 30,000 files.
export const installDefaults: InstallSizes = {
  maxDownloadBytes: 1_073_741_824,
  maxUnpackedBytes: 4_294_967_296,
};

export const fixedInstallLimits: FixedInstallLimits = {
  maxEntries: 200_000,
  stallMs: 30_000,
  installerMs: 900_000,
  lockMs: 900_000,
};

/** @internal The parameters of an installation of any kind. */
export interface InstallContext {
  /** An empty folder for this installation. The installed files stay in this folder. */
  readonly folder: string;
  readonly env: Variables;
  readonly limits: InstallLimits;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnInstallProgress;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The ledger that records running installers, so that they can be ended if this process is killed. */
  readonly ledger: AgentLedger;
  /** Whether npm may run all install scripts. */
  readonly scripts: boolean;
}

/** @internal How an installed agent is started. */
export interface InstalledLaunch {
  /** The path of the program, relative to the folder of the installation. */
  readonly file: string;
  /** Whether the file is a script for Node. */
  readonly isNodeScript: boolean;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** @internal The result of an installation. */
export interface InstallResult {
  readonly launch: InstalledLaunch;
  /** The version of the package, or of the registry entry. */
  readonly version: string;
  /** npm's `integrity` of the package, or the SHA-256 of the download. */
  readonly integrity?: string;
  /** Warnings for the user, such as a Node that is too old. */
  readonly notes: readonly string[];
}
