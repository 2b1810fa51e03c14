import { builtin } from "./builtins.js";

/** The number of bytes of one read. Almost every file of `/proc` is smaller. */
const BLOCK_BYTES = 16_384;

/** The block of all reads: a scan of `/proc` would spend most of its time on new ones. */
let block: Buffer | undefined;

/**
 * Reads at most `limit` bytes of a file of `/proc`, whose size is unknown in advance. Returns `undefined` if the file
 * can't be read: the process has ended, or this process has no permission.
 */
export function readProcFile(path: string, limit: number): string | undefined {
  const { closeSync, openSync, readSync } = builtin("fs");
  block ??= Buffer.allocUnsafe(BLOCK_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      let text = "";
      while (text.length < limit) {
        const read = readSync(file, block, 0, Math.min(block.length, limit - text.length), null);
        if (read === 0) break;
        text += block.toString("latin1", 0, read);
      }
      return text;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
