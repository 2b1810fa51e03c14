import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import type { Root } from "../roots.js";
import { type Confinement, outside, type Place } from "./confinement.js";
import { leadsTo, locationOf } from "./open-directory.js";
import { notAFile } from "./system-failure.js";
import type { Tracking } from "./tracking.js";

/** The number of attempts after which a path that keeps changing during the check is refused. */
export const MAX_ATTEMPTS = 20;

/** An open file that was inside a root when it was opened. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly place: Place;
}

/**
 * Opens a regular file for reading, after checking that the agent may read it.
 *
 * First the path is checked. Then it is opened without following a link at its end and without waiting for the writer
 * of a pipe. Then the location of the open file is checked. If the path changed in between, all steps are repeated.
 *
 * @throws {RpcError} when the agent may not read the file, or when it is not a regular file.
 */
export async function openForReading(
  path: string,
  roots: readonly Root[],
  { confinement, tracking }: { readonly confinement: Confinement; readonly tracking: Tracking },
): Promise<OpenFile> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const place = await confinement.find(path, roots, { change: false });
    if (place.missing.length > 0) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    const handle = await openUnlinked(place);
    if (handle === undefined) continue;
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) throw notAFile(path);
      const location = tracking === "descriptor" ? await locationOf(handle) : await stillAt(place.realPath, handle);
      if (location !== undefined) {
        if (location !== place.realPath) await confinement.judge(location, path, roots, { change: false });
        if (stats.nlink > 1n) await confinement.judgeLinked(stats, location, path, roots);
        return { handle, place: { ...place, realPath: location } };
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
  throw outside(path);
}

/** Returns `undefined` if the file was moved, or replaced by a link, after the check. */
async function openUnlinked({ realPath, path }: Place): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  try {
    const stats = await lstat(realPath);
    if (stats.isSymbolicLink()) return undefined;
    if (!stats.isFile()) throw notAFile(path); // opening a device can already have an effect
    return await open(realPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  }
}

async function stillAt(path: string, handle: FileHandle): Promise<string | undefined> {
  return (await leadsTo(path, handle)) ? path : undefined;
}
