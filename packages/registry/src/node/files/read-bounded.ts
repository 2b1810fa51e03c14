import { open } from "node:fs/promises";
import { isRegistryError, RegistryError } from "../errors.js";
import { fileReason } from "./file-reason.js";

/**
 * Reads a text file of at most `maxBytes`. Returns `undefined` if the file does not exist.
 *
 * @throws {RegistryError} `too_large`.
 * @throws {Error} when the file can't be read. The message is a sentence with the path, which the messages of Node lack for some errors.
 */
export async function readBounded(file: string, maxBytes: number): Promise<string | undefined> {
  try {
    return await read(file, maxBytes);
  } catch (cause) {
    if (isRegistryError(cause)) throw cause;
    throw new Error(`${file} can't be read: ${fileReason(cause)}.`, { cause });
  }
}

async function read(file: string, maxBytes: number): Promise<string | undefined> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    if (size > maxBytes)
      throw new RegistryError("too_large", `${file} has ${size} bytes, more than the maximum of ${maxBytes}.`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Returns a text without the byte order mark that some editors write, and which JSON does not allow. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
