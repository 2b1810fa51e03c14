import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { projects, root } from "@acp-kit/configs/packages";

/** The folders with the sources of a project, which a release does not read. */
const sources = /^[^/\\]+[/\\][^/\\]+[/\\](src|test)$/;

/**
 * Copies the tree with its build output, without sources, Git's history and installed files. The caller removes the
 * copy.
 */
export function copyOfTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-release-")));
  const left = ["node_modules", ".git", ".turbo", ".tmp", "site"];
  const isLeft = (path: string) => left.includes(basename(path)) || sources.test(relative(root, path));
  cpSync(root, copy, { recursive: true, filter: (path) => !isLeft(path) });
  for (const { directory, manifest } of projects()) link(copy, directory, manifest);
  return copy;
}

/** Links the programs that a release runs: changesets and pnpm. */
export function linkTools(copy: string): void {
  const installed = join(copy, "node_modules");
  mkdirSync(installed, { recursive: true });
  for (const name of [".bin", "@changesets", "pnpm"])
    symlinkSync(join(root, "node_modules", name), join(installed, name), "junction");
}

/** Links a project's dependencies in the workspace, as an install would. */
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
