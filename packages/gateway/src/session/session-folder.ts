import type { Scope } from "../engine/session-record.js";
import { gatewayError } from "../gateway-error.js";

/**
 * Decides which folder of the server a session may use. Returns the path that the agent gets instead of the client's
 * `path`. The path `/` stands for the folder that the server chooses.
 *
 * @throws an `RpcError` with reason `folder_not_allowed`: see {@link folderNotAllowed}.
 */
export type SessionFolder = (scope: Scope, path: string) => string | PromiseLike<string>;

/**
 * Returns whether a path is the root of a file system, which no session works in: the client leaves the folder to the
 * server.
 */
export function isRootPath(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]+$/.test(path);
}

/**
 * Creates the error for a folder that a session may not use.
 *
 * @param folder the user's own folder, which the message names.
 */
export function folderNotAllowed(folder: string): Error {
  const message = `A session works in ${folder} or in an existing folder below it: send a cwd there, or / for ${folder}`;
  return gatewayError("folder_not_allowed", message, { data: { folder } });
}
