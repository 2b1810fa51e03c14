import { open } from "node:fs/promises";
import { RegistryError } from "../errors.js";

/**
 * Reads a text file of at most `maxBytes`. Returns `undefined` if the file does not exist.
 *
 * @throws {RegistryError} `too_large`.
 */
export async function readBounded(file: string, maxBytes: number): Promise<string | undefined> {
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
