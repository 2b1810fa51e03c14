/**
 * Why an operation of the registry failed.
 *
 * - `unknown_agent`: no source has an agent of this name.
 * - `not_installed`: the agent is known, but not installed.
 * - `no_distribution`: the agent has no distribution for this machine, or in this version.
 * - `invalid_registry`, `invalid_settings`: a registry or a settings file is not what it should be.
 * - `unreachable`: a server could not be reached, responded with an error, or stopped sending.
 * - `checksum_mismatch`: bytes are not those that the registry or the lock file names.
 * - `too_large`: a download, an archive or a document exceeds its limit.
 * - `unsafe_archive`: an archive has an entry that leads out of its folder, a device, or the like.
 * - `bad_archive`: an archive is damaged, or of an unsupported kind.
 * - `missing_tool`: a program that installs the agent, such as `npm` or `uv`, is not there.
 * - `installer_failed`: such a program failed.
 * - `disk_full`: no room is left, or a quota is reached.
 * - `busy`: another process holds the lock for too long.
 */
export type RegistryErrorCode =
  | "unknown_agent"
  | "not_installed"
  | "no_distribution"
  | "invalid_registry"
  | "invalid_settings"
  | "unreachable"
  | "checksum_mismatch"
  | "too_large"
  | "unsafe_archive"
  | "bad_archive"
  | "missing_tool"
  | "installer_failed"
  | "disk_full"
  | "busy";

const brand = Symbol.for("acp-kit.RegistryError");

/** A failure to read a registry, or to install, find or resolve an agent. The message says what to do next. */
export class RegistryError extends Error {
  static {
    Object.defineProperty(RegistryError.prototype, brand, { value: true });
  }
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;

  constructor(code: RegistryErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Returns whether a value is a {@link RegistryError}, also across duplicate installs of this package. */
export function isRegistryError(value: unknown): value is RegistryError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * The error for a failed operation on files: `disk_full` where the system says so, else the error unchanged.
 *
 * @param what - what was attempted, as the beginning of a sentence.
 */
export function fileFailure(what: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "EFBIG") return error;
  return new RegistryError("disk_full", `${what}: there is not enough room on the disk. Make room and try again.`, {
    cause: error,
  });
}
