import { randomBytes } from "node:crypto";
import { mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileFailure } from "../errors.js";

/**
 * Replaces a file as a whole, or creates it with its folder: a reader sees the old text or the new one, also after a crash.
 *
 * @throws {RegistryError} `disk_full`; the old file is unchanged then.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await replace(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {}); // the original error is thrown
    throw fileFailure(`Can't write ${file}`, error);
  }
}

/** On Windows a file that is open elsewhere, such as in a virus scanner, can only be replaced a little later. */
async function replace(temporary: string, file: string): Promise<void> {
  for (let pauseMs = 10; ; pauseMs *= 2) {
    try {
      return await rename(temporary, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isBusy = process.platform === "win32" && (code === "EPERM" || code === "EACCES" || code === "EBUSY");
      if (!isBusy || pauseMs > 500) throw error;
      await delay(pauseMs);
    }
  }
}
