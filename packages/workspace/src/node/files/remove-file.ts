import { rename, unlink } from "node:fs/promises";
import { refusal } from "./refusal.js";
import { notAFile } from "./system-failure.js";
import type { HeldEntry } from "./with-entry.js";
import { statsOf } from "./write-file.js";

/** Deletes a file or a link, never what a link leads to, and no directory. */
export async function deleteFile({ directory, name }: HeldEntry, path: string): Promise<true | undefined> {
  const entry = directory.entry(name);
  await assertFileOrLink(entry, path);
  if ((await directory.location()) === undefined) return undefined;
  await unlink(entry);
  return true;
}

/** Gives a file or a link another name, where nothing has that name yet. */
export async function renameFile(
  from: HeldEntry,
  to: HeldEntry,
  { path, targetPath }: { readonly path: string; readonly targetPath: string },
): Promise<true | undefined> {
  const source = from.directory.entry(from.name);
  const target = to.directory.entry(to.name);
  const { dev, ino } = await assertFileOrLink(source, path);
  const there = await statsOf(target);
  // A file that is there already may be the same one, spelled in another case.
  const same = there !== undefined && there.dev === dev && there.ino === ino && there.nlink === 1;
  if (there !== undefined && !same) throw refusal("exists", targetPath, "there is something of this name already");
  const held = await Promise.all([from.directory.location(), to.directory.location()]);
  if (held.includes(undefined)) return undefined;
  await rename(source, target);
  return true;
}

async function assertFileOrLink(entry: string, path: string): Promise<{ readonly dev: number; readonly ino: number }> {
  const stats = await statsOf(entry);
  if (stats === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  if (!stats.isFile() && !stats.isSymbolicLink()) throw notAFile(path);
  return stats;
}
