import { RegistryError } from "../errors.js";

const maxDepth = 64;
const maxNameLength = 255;
/** Names of devices on Windows, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Splits the path of an entry into its parts, relative to the folder of the archive. Returns an empty list for that
 * folder itself.
 *
 * Refuses a name that leads out of the folder or names a device. It does so on every operating system, even if the name
 * is harmless there, because an archive with such a name is an attack or damaged.
 *
 * @throws {RegistryError} `unsafe_archive`.
 */
export function entryPath(name: string): readonly string[] {
  const refuse = (why: string): never => {
    throw new RegistryError(
      "unsafe_archive",
      `The archive has an entry ${JSON.stringify(name.slice(0, 200))}, which ${why}. The archive is not used.`,
    );
  };
  if (name.includes("\0")) refuse("contains a NUL character");
  if (/^[/\\]/.test(name)) refuse("is an absolute path");
  if (/^[A-Za-z]:/.test(name)) refuse("contains a drive letter");
  const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (parts.length > maxDepth) refuse(`is nested deeper than ${maxDepth} folders`);
  for (const part of parts) {
    if (part === "..") refuse("leads out of its folder");
    if (Buffer.byteLength(part) > maxNameLength) refuse(`has a name of more than ${maxNameLength} bytes`);
    if (part.includes(":")) refuse("has a colon in its name");
    if (/[. ]$/.test(part) || devices.test(part)) refuse("has a name that Windows reads as another name");
  }
  return parts;
}
