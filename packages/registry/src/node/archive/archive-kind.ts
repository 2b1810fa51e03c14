import { open } from "node:fs/promises";
import { RegistryError } from "../errors.js";

/** A kind of download. `program` is a file that is run as it is. */
export type ArchiveKind = "zip" | "tar" | "tar.gz" | "tar.bz2" | "program";

const byName: readonly (readonly [RegExp, ArchiveKind])[] = [
  [/\.zip$/, "zip"],
  [/\.(?:tar\.gz|tgz)$/, "tar.gz"],
  [/\.(?:tar\.bz2|tbz2)$/, "tar.bz2"],
  [/\.tar$/, "tar"],
];

/** Kinds that the registry does not allow, or that are not supported. */
const refused = /\.(?:dmg|pkg|msi|deb|rpm|tar\.xz|txz|xz|tar\.zst|zst|7z|rar)$/;

/**
 * Returns the kind of a download: by the name in its URL, else by its first bytes.
 *
 * @throws {RegistryError} `bad_archive` for installers and other archives.
 */
export async function archiveKind(url: URL, file: string): Promise<ArchiveKind> {
  const name = url.pathname.toLowerCase();
  if (refused.test(name)) {
    throw new RegistryError(
      "bad_archive",
      `${name.slice(name.lastIndexOf("/") + 1)}: only .zip, .tar.gz, .tar.bz2, .tar and programs are installed.`,
    );
  }
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? (await kindOfBytes(file));
}

async function kindOfBytes(file: string): Promise<ArchiveKind> {
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
