/**
 * The reasons why an operation of the registry fails.
 *
 * - `unknown_agent`: no source has an agent with this name.
 * - `not_installed`: the agent is known, but not installed.
 * - `no_distribution`: the registry has no package or download of the agent for this machine, or for the requested
 *   version.
 * - `invalid_registry`: a registry has invalid contents. `invalid_settings`: a settings file or the lock file has
 *   invalid contents.
 * - `unreachable`: a server could not be reached, responded with an error, or stopped sending.
 * - `checksum_mismatch`: the bytes do not match the checksum or the signature of the registry, or the checksum in the
 *   lock file.
 * - `too_large`: a download, an archive or a document exceeds its limit.
 * - `unsafe_archive`: an archive has an unsafe entry, such as a path outside its folder or a device.
 * - `bad_archive`: an archive is damaged, or its format is not supported.
 * - `missing_tool`: a program that the installation needs, such as `npm` or `uv`, does not exist.
 * - `installer_failed`: `npm` or `uv` failed.
 * - `disk_full`: the disk is full, or a quota is reached.
 * - `busy`: another process has held the lock for too long.
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

/** Returns whether a value is a {@link RegistryError}, even if this package is installed twice. */
export function isRegistryError(value: unknown): value is RegistryError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * Returns the error to throw for a failed file operation: `disk_full` if the disk is full, otherwise the error
 * unchanged.
 *
 * @param what - the attempted operation, as the beginning of a sentence.
 */
export function fileFailure(what: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "EFBIG") return error;
  return new RegistryError(
    "disk_full",
    `${what}: there is not enough space on the disk. Free some space and try again.`,
    {
      cause: error,
    },
  );
}
