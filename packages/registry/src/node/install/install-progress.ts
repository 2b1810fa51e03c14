/** A step of an installation. */
export interface InstallProgress {
  /** - `wait`: another process installs the same agent. */
  readonly step: "wait" | "download" | "verify" | "unpack" | "install";
  /** What the step works on: a package, the name of an archive. */
  readonly what: string;
  /** For `download`: the bytes so far, and in all if known. */
  readonly receivedBytes?: number;
  readonly totalBytes?: number;
}

/** Receives the steps of an installation. */
export type OnInstallProgress = (progress: InstallProgress) => void;
