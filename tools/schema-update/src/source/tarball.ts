import { gunzipSync } from "node:zlib";

/**
 * Returns the regular files of a gzipped tar archive, by path. Supports only the part of the format that npm uses:
 * paths in the header (with its prefix field) and pax records for longer paths.
 */
export function readTarball(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const bytes = gunzipSync(archive);
  const files = new Map<string, Uint8Array>();
  let longPath: string | undefined;
  for (let offset = 0; offset + 512 <= bytes.length; ) {
    const text = (start: number, length: number): string => {
      const field = bytes.subarray(offset + start, offset + start + length);
      const end = field.indexOf(0);
      return field.subarray(0, end < 0 ? length : end).toString("utf8");
    };
    const name = text(0, 100);
    if (name === "") break;
    const size = Number.parseInt(text(124, 12).trim(), 8) || 0;
    const type = text(156, 1);
    const content = bytes.subarray(offset + 512, offset + 512 + size);
    if (type === "x") longPath = paxPath(content);
    else {
      const prefix = text(345, 155);
      const path = longPath ?? (prefix === "" ? name : `${prefix}/${name}`);
      longPath = undefined;
      if (type === "0" || type === "") files.set(path, new Uint8Array(content));
    }
    offset += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

/** Returns the `path` record of a pax header. Records are lines such as `27 path=a/long/path`. */
function paxPath(content: Uint8Array): string | undefined {
  for (const line of Buffer.from(content).toString("utf8").split("\n")) {
    const record = line.slice(line.indexOf(" ") + 1);
    if (record.startsWith("path=")) return record.slice("path=".length);
  }
  return undefined;
}
