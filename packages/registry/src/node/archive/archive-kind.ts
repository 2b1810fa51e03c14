import { open } from "node:fs/promises";
import { RegistryError } from "../errors.js";

/** The format of a downloaded file. `program` is an executable file without an archive. */
export type ArchiveKind = "zip" | "tar" | "tar.gz" | "tar.bz2" | "program";

const byName: readonly (readonly [RegExp, ArchiveKind])[] = [
  [/\.zip$/, "zip"],
  [/\.(?:tar\.gz|tgz)$/, "tar.gz"],
  [/\.(?:tar\.bz2|tbz2)$/, "tar.bz2"],
  [/\.tar$/, "tar"],
];

/** Formats that the registry does not allow or this package does not support. */
const refused = /\.(?:dmg|pkg|msi|deb|rpm|tar\.xz|txz|xz|tar\.zst|zst|7z|rar)$/;

/**
 * Returns the format of a download by the extension in its URL; `undefined` if the URL has no known extension.
 *
 * @throws {RegistryError} `bad_archive` for an installer or an unsupported archive.
 */
export function archiveKindOfUrl(url: URL): ArchiveKind | undefined {
  const name = url.pathname.toLowerCase();
  if (refused.test(name)) {
    throw new RegistryError(
      "bad_archive",
      `${name.slice(name.lastIndexOf("/") + 1)}: the format is not supported. Supported are .zip, .tar.gz, .tar.bz2, .tar and programs.`,
    );
  }
  return byName.find(([pattern]) => pattern.test(name))?.[1];
}

/** Returns the format of a download by its first bytes. */
export async function archiveKindOfFile(file: string): Promise<ArchiveKind> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(262), 0, 262, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.subarray(0, 4).toString("latin1") === "PK\x03\x04") return "zip";
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "tar.gz";
    if (bytes.subarray(0, 3).toString("latin1") === "BZh") return "tar.bz2";
    return bytes.subarray(257, 262).toString("latin1") === "ustar" ? "tar" : "program";
  } finally {
    await handle.close();
  }
}
