import { type FileHandle, open } from "node:fs/promises";
import { isRegistryError, RegistryError } from "../errors.js";
import { fileReason } from "./file-reason.js";

const chunkBytes = 65_536;

/**
 * Reads a text file of at most `maxBytes`. Returns `undefined` if the file does not exist.
 *
 * @throws {RegistryError} `too_large`.
 * @throws {Error} when the file can't be read. The message is a sentence with the path, which the messages of Node lack
 * for some errors.
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
    return await textOf(handle, file, maxBytes);
  } finally {
    await handle.close();
  }
}

/** Reads to the end, and counts the bytes: a device reports the size 0, and another program can append to a file. */
async function textOf(handle: FileHandle, file: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
    if (bytesRead === 0) return Buffer.concat(chunks).toString("utf8");
    size += bytesRead;
    if (size > maxBytes)
      throw new RegistryError("too_large", `${file} has more bytes than the maximum of ${maxBytes}.`);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** Returns a text without the byte order mark that some editors write, and which JSON does not allow. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
