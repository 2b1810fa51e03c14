import type { Stats } from "node:fs";
import { access, type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";

/** The system calls that write, rename and delete files. Tests replace this object to make each call fail. */
export interface FileSystem {
  access(path: string, mode: number): Promise<void>;
  link(path: string, newPath: string): Promise<void>;
  lstat(path: string): Promise<Stats>;
  open(path: string, flags: number, mode?: number): Promise<FileHandle>;
  rename(path: string, newPath: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** The functions of the operating system, as Node provides them. */
export const nodeFileSystem: FileSystem = { access, link, lstat, open, rename, unlink };

/** Returns the stats of an entry, without following a link; `undefined` if the entry does not exist. */
export async function statsOf(entry: string, { lstat }: Pick<FileSystem, "lstat">): Promise<Stats | undefined> {
  try {
    return await lstat(entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
