import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import type { Scope } from "../engine/session-record.js";
import { folderNotAllowed, isRootPath, type SessionFolder } from "../session/session-folder.js";

/**
 * Limits the sessions of each user to one folder, for the option `folder` of `createGateway`: a session works in the
 * folder that `folderOf` returns, or in an existing folder below it. Symbolic links are resolved first, and the agent
 * gets the resolved path. If a client sends `/` as `cwd`, the session works in the folder itself.
 */
export function folderWithin(folderOf: (scope: Scope) => string): SessionFolder {
  return async (scope, path) => {
    const folder = folderOf(scope);
    const root = await realpath(folder);
    if (isRootPath(path)) return root;
    // A path outside and a path that does not exist get the same error, so that it reveals nothing about files outside.
    const resolved = isAbsolute(path) ? await realpath(path).catch(() => undefined) : undefined;
    if (resolved === undefined || !isWithin(root, resolved)) throw folderNotAllowed(folder);
    if (!(await stat(resolved)).isDirectory()) throw folderNotAllowed(folder);
    return resolved;
  };
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
