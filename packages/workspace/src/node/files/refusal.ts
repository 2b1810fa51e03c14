import { invalidParams, type RpcError } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";

/** The maximum number of characters of a refused path in errors and reports. Every valid path is shorter. */
export const MAX_PATH_CHARACTERS = 4_096;

/**
 * The reasons why an agent can't use a file, in `data.reason` of the error.
 *
 * - `not_absolute`, `bad_name`: the path is not a valid absolute path on this system, or not well-formed Unicode.
 * - `too_long`: the path, or a name in it, is longer than the system allows, or needs too many new folders; the limit
 *   is in `data.limit`.
 * - `outside`: the path is in no root folder, or its real path can't be determined.
 * - `denied`: a pattern of `deny` matches the path or another name of the file (a hard link), or the file has several
 *   names and `hardLinks` is `"refuse"`.
 * - `read_only`: the root folder or the file is read-only.
 * - `not_a_file`: the path is a folder, a device, a pipe or a socket, or leads through a file.
 * - `not_text`: the file is not UTF-8 text, or contains NUL.
 * - `too_large`: the file exceeds the limit in `data.limit`.
 * - `exists`: the new name of a renamed file exists already.
 * - `no_access`: the operating system denies permission.
 */
export type FileRefusalReason =
  | "not_absolute"
  | "bad_name"
  | "too_long"
  | "outside"
  | "denied"
  | "read_only"
  | "not_a_file"
  | "not_text"
  | "too_large"
  | "exists"
  | "no_access";

/** The error `-32602` for the member `path`, with a machine-readable reason, never a real path outside. */
export function refusal(reason: FileRefusalReason, path: string, message: string, more: object = {}): RpcError {
  return invalidParams(`Invalid params: path: ${message}`, {
    path: shorten(path, MAX_PATH_CHARACTERS),
    reason,
    ...more,
  });
}

/** Returns the reason, if the error is a {@link refusal}. */
export function reasonOf(error: unknown): FileRefusalReason | undefined {
  const { data } = error as { data?: { reason?: unknown } | null };
  return typeof data?.reason === "string" ? (data.reason as FileRefusalReason) : undefined;
}
