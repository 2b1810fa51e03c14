/** A step of an installation. */
export interface InstallProgress {
  /** `wait`: another process is installing the same agent. */
  readonly step: "wait" | "download" | "verify" | "unpack" | "install";
  /** The package or the file that the step processes; for `wait`, the agent's id. */
  readonly what: string;
  /** For `download`: the received bytes, and the size of the file if known. */
  readonly receivedBytes?: number;
  readonly totalBytes?: number;
}

/** Called at each step of an installation. */
export type OnInstallProgress = (progress: InstallProgress) => void;
