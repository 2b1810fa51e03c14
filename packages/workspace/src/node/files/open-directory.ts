import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Tracking } from "./tracking.js";

/**
 * An open directory. Entries are opened relative to the open directory. If another directory takes the place of the
 * open directory, the other directory is never used.
 */
export interface Directory {
  /** A path to the directory, valid while the directory is open. */
  readonly path: string;
  /** Returns an identity of the directory that does not depend on its path. */
  identity(): Promise<string>;
  /** Returns the current real path of the directory; `undefined` if it can't be determined. */
  location(): Promise<string | undefined>;
  /** Returns a path to an entry of the directory, valid while the directory is open. */
  entry(name: string): string;
  /** Returns whether a file that was created through {@link entry} is in this directory. */
  holds(name: string, handle: FileHandle): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens a directory by a path whose last name is not a link.
 *
 * @throws the system's error: `ENOTDIR` for another kind of entry, `ELOOP` for a link.
 */
export function openDirectory(path: string, tracking: Tracking): Promise<Directory> {
  return tracking === "descriptor" ? openByDescriptor(path) : openByPath(path);
}

/** Opens a directory inside a directory, and creates it first if it does not exist. */
export async function openChild(parent: Directory, name: string, tracking: Tracking): Promise<Directory> {
  try {
    await mkdir(parent.entry(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return openDirectory(parent.entry(name), tracking);
}

async function openByDescriptor(path: string): Promise<Directory> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const ownPath = `/proc/self/fd/${handle.fd}`;
  return {
    path: ownPath,
    identity: async () => identify(await handle.stat({ bigint: true })),
    location: () => locationOf(handle),
    entry: (name) => `${ownPath}/${name}`,
    holds: async () => true,
    close: () => handle.close(),
  };
}

/** Returns the current path of an open descriptor, from the kernel; `undefined` if the file was deleted. */
export async function locationOf(handle: FileHandle): Promise<string | undefined> {
  const [location, { nlink }] = await Promise.all([readlink(`/proc/self/fd/${handle.fd}`), handle.stat()]);
  return nlink === 0 ? undefined : location;
}

async function openByPath(path: string): Promise<Directory> {
  const opened = await identityOf(path);
  const location = async (): Promise<string | undefined> => {
    try {
      return (await realpath(path)) === path && (await identityOf(path)) === opened ? path : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    path,
    identity: async () => opened,
    location,
    entry: (name) => join(path, name),
    holds: async (name, handle) => (await leadsTo(join(path, name), handle)) && (await location()) !== undefined,
    close: async () => {},
  };
}

/** Returns whether a path leads to the open file and contains no symbolic link. */
export async function leadsTo(path: string, handle: FileHandle): Promise<boolean> {
  try {
    const [now, opened] = await Promise.all([lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
    return now.dev === opened.dev && now.ino === opened.ino && (await realpath(path)) === path;
  } catch {
    return false;
  }
}

async function identityOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isDirectory()) throw Object.assign(new Error(`${path} is not a directory`), { code: "ENOTDIR" });
  return identify(stats);
}

function identify({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
