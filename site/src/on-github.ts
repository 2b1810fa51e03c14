import { existsSync } from "node:fs";
import { join } from "node:path";
import { isCommitted } from "@acp-kit/codegen/output-paths";
import { root } from "@acp-kit/configs/packages";

/** Returns whether GitHub has a file at this path. Installed, built and uncommitted files are not on GitHub. */
export function isOnGitHub(path: string): boolean {
  if (path.split("/").some((part) => part === ".." || part === "node_modules" || part === "dist")) return false;
  return isCommitted(path) && existsSync(join(root, path));
}
