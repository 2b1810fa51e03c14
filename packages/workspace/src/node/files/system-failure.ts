import { ErrorCode, isRpcError, RpcError, resourceNotFound } from "@acp-kit/protocol";
import { refusal } from "./refusal.js";

/** Converts a system error for the agent, with a machine-readable reason and only the path that it sent. */
export function explain(error: unknown, path: string): Error {
  if (isRpcError(error)) return error as RpcError;
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return resourceNotFound(path, { path });
    case "ENOTDIR":
      return refusal("not_a_file", path, "a part of the path is a file and not a folder");
    case "EISDIR":
    case "ENXIO":
    case "ENODEV":
    case "ENOTEMPTY":
      return notAFile(path);
    case "EACCES":
    case "EPERM":
      return refusal("no_access", path, "the operating system denies the client access to the file");
    case "EROFS":
      return refusal("read_only", path, "the file system is read-only");
    case "ENAMETOOLONG":
      return refusal("too_long", path, "the path is longer than this file system allows");
    case "EEXIST":
      return refusal("exists", path, "a file or folder with this name already exists");
    case "EINVAL":
      return refusal("bad_name", path, "this system does not allow the file name");
    case undefined:
      return error as Error;
    default: // the disk is full, too many files are open, …
      return new RpcError(ErrorCode.internalError, `Can't use ${path}: ${code}`, {
        data: { path, code },
        cause: error,
      });
  }
}

/** The error for an entry that is not a regular file: a directory, a device, a pipe, a socket. */
export function notAFile(path: string): Error {
  return refusal("not_a_file", path, "not a regular file");
}
