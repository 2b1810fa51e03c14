import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { projects, root } from "@acp-kit/configs/packages";

/** A copy of the tree with its build output, without git: a release needs neither a remote nor a history. The caller removes it. */
export function copyOfTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-release-")));
  const left = ["node_modules", ".git", ".turbo", ".tmp", "site"];
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  for (const { directory, manifest } of projects()) link(copy, directory, manifest);
  return copy;
}

/** Links what a project has from the workspace, as an install would. */
function link(copy: string, directory: string, manifest: ReturnType<typeof projects>[number]["manifest"]): void {
  const ranges = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, range] of Object.entries(ranges)) {
    const target = projects().find((project) => project.name === name && range.startsWith("workspace:"));
    const path = join(copy, relative(root, directory), "node_modules", name);
    if (!target) continue;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(copy, relative(root, target.directory)), path, "junction");
  }
}
