import { randomBytes } from "node:crypto";
import { mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileFailure } from "../errors.js";

/**
 * Replaces a file atomically, or creates the file and its folder. Other programs read either the old or the new text,
 * even after a crash.
 *
 * @throws {RegistryError} `disk_full`. After any error the old file is unchanged.
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
    await unlink(temporary).catch(() => {}); // the caller gets the original error
    throw fileFailure(`Can't write ${file}`, error);
  }
}

/** Renames a file, with retries: on Windows, another program, such as a virus scanner, may have it open. */
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
