import { basename, dirname, join } from "node:path";
import type { Root } from "../roots.js";
import { type Confinement, outside, type Place, type Purpose } from "./confinement.js";
import type { FileSystem } from "./file-system.js";
import { type Directory, openChild, openDirectory } from "./open-directory.js";
import { MAX_ATTEMPTS } from "./open-file.js";
import { refusal } from "./refusal.js";
import type { TemporaryFiles } from "./temporary-files.js";
import type { Tracking } from "./tracking.js";

/** An entry of an open directory that was inside a root when it was opened. */
export interface HeldEntry {
  readonly directory: Directory;
  readonly name: string;
  /** The real path of the entry, links resolved. */
  readonly realPath: string;
}

/** The checks that every file access needs. */
export interface FileRules {
  readonly confinement: Confinement;
  readonly tracking: Tracking;
  readonly fileSystem: FileSystem;
  readonly temporaryFiles: TemporaryFiles;
}

/**
 * Runs `action` on the file or link that a path leads to, while the directory of this entry is open. Missing
 * directories are created first if requested.
 *
 * The function checks the location of the open directory before it creates, changes or removes anything. If the path
 * changed after it was resolved, or if `action` returns `undefined` because the entry was replaced, all steps are
 * repeated.
 *
 * @throws {RpcError} when the agent may not use the entry for this purpose.
 */
export async function withEntry<Result>(
  path: string,
  roots: readonly Root[],
  purpose: Purpose & { readonly makeDirectories?: boolean },
  rules: FileRules,
  action: (entry: HeldEntry) => Promise<Result | undefined>,
): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const place = await rules.confinement.find(path, roots, purpose);
    const entry = await hold(place, roots, purpose, rules);
    if (entry === undefined) continue;
    try {
      const result = await action(entry);
      if (result !== undefined) return result;
    } finally {
      await entry.directory.close();
    }
  }
  throw outside(path);
}

/** Maximum number of directories that one request may create. */
const MAX_NEW_DIRECTORIES = 128;

/** Opens the directory of an entry. Returns `undefined` if a directory was moved after the path was resolved. */
async function hold(
  { existing, missing, path }: Place,
  roots: readonly Root[],
  purpose: Purpose & { readonly makeDirectories?: boolean },
  { confinement, tracking }: FileRules,
): Promise<HeldEntry | undefined> {
  const whole = missing.length === 0;
  const name = whole ? basename(existing) : (missing.at(-1) ?? "");
  const toMake = missing.slice(0, -1);
  if (name === "" || (toMake.length > 0 && !purpose.makeDirectories)) {
    throw Object.assign(new Error("no such directory exists"), { code: name === "" ? "EISDIR" : "ENOENT" });
  }
  if (toMake.length > MAX_NEW_DIRECTORIES) {
    const limit = MAX_NEW_DIRECTORIES;
    throw refusal("too_long", path, `the path needs more than ${limit} new folders`, { limit });
  }
  let directory = await openUnlessMoved(() => openDirectory(whole ? dirname(existing) : existing, tracking));
  try {
    for (const each of [...toMake, undefined]) {
      const location = await directory?.location();
      if (directory === undefined || location === undefined) break;
      await confinement.judge(location, path, roots, purpose); // a deleted root isn't recreated
      const realPath = join(location, each ?? name);
      await confinement.judge(realPath, path, roots, purpose);
      const held = directory;
      if (each === undefined) {
        directory = undefined;
        return { directory: held, name, realPath };
      }
      const child = await openUnlessMoved(() => openChild(held, each, tracking));
      await held.close();
      directory = child;
    }
    return undefined;
  } finally {
    await directory?.close();
  }
}

/** Opens a directory. Returns `undefined` if the directory was moved or replaced by a link. */
async function openUnlessMoved(open: () => Promise<Directory>): Promise<Directory | undefined> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP") return undefined;
    throw error;
  }
}
