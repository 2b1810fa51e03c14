import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The saved state of a part of the tree, which can be restored. */
export interface Snapshot {
  /** Restores every file that changed or was removed, and removes new ones. */
  restore(): void;
  /** The paths of files that changed, relative to the root. */
  changed(): readonly string[];
}

/**
 * Saves the bytes of files and directories.
 *
 * @param paths - relative to `root`. `restore` removes a path that doesn't exist now. Installed and built files
 * (`node_modules`, `dist`)
 *   are not saved.
 */
export function takeSnapshot(root: string, paths: readonly string[]): Snapshot {
  const before = readAll(root, paths);
  const directories = new Set(listDirectories(root, paths));
  return {
    restore: () => {
      const now = readAll(root, paths);
      for (const path of now.keys()) if (!before.has(path)) rmSync(join(root, path));
      for (const [path, bytes] of before) {
        if (now.get(path)?.equals(bytes)) continue;
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), bytes);
      }
      for (const path of [...listDirectories(root, paths)].reverse()) {
        if (!directories.has(path) && readdirSync(join(root, path)).length === 0) rmdirSync(join(root, path));
      }
    },
    changed: () => {
      const now = readAll(root, paths);
      const names = [...new Set([...before.keys(), ...now.keys()])].sort();
      return names.filter((path) => {
        const [then, today] = [before.get(path), now.get(path)];
        return then === undefined || today === undefined || !then.equals(today);
      });
    },
  };
}

function readAll(root: string, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  walk(root, paths, (path, isDirectory) => {
    if (!isDirectory) files.set(path, readFileSync(join(root, path)));
  });
  return files;
}

/** Lists directories. A directory comes before the directories inside it. */
function listDirectories(root: string, paths: readonly string[]): readonly string[] {
  const directories: string[] = [];
  walk(root, paths, (path, isDirectory) => {
    if (isDirectory) directories.push(path);
  });
  return directories;
}

function walk(root: string, paths: readonly string[], visit: (path: string, isDirectory: boolean) => void): void {
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue;
    const isDirectory = statSync(join(root, path)).isDirectory();
    visit(path, isDirectory);
    if (!isDirectory) continue;
    const inner = readdirSync(join(root, path)).filter((name) => name !== "node_modules" && name !== "dist");
    walk(
      root,
      inner.map((name) => `${path}/${name}`),
      visit,
    );
  }
}
