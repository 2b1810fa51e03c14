import type { Stats } from "node:fs";
import { access, type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";

/** The calls that write, rename and delete files, in one place so that tests can make each of them fail. */
export interface FileSystem {
  access(path: string, mode: number): Promise<void>;
  link(path: string, newPath: string): Promise<void>;
  lstat(path: string): Promise<Stats>;
  open(path: string, flags: number, mode?: number): Promise<FileHandle>;
  rename(path: string, newPath: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** The system's own functions. */
export const nodeFileSystem: FileSystem = { access, link, lstat, open, rename, unlink };

/** The kind of an entry, links not followed; `undefined` when it does not exist. */
export async function statsOf(entry: string, { lstat }: Pick<FileSystem, "lstat">): Promise<Stats | undefined> {
  try {
    return await lstat(entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
