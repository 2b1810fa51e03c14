import { existsSync } from "node:fs";
import { join } from "node:path";
import { isCommitted } from "@acp-kit/codegen/homes";
import { root } from "@acp-kit/configs/packages";

/** Whether GitHub shows a path of the repository: not if the file is installed, built or uncommitted. */
export function isOnGitHub(path: string): boolean {
  if (path.split("/").some((part) => part === ".." || part === "node_modules" || part === "dist")) return false;
  return isCommitted(path) && existsSync(join(root, path));
}
