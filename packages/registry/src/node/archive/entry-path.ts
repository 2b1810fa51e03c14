import { RegistryError } from "../errors.js";

const maxDepth = 64;
const maxNameLength = 255;
/** Names that Windows takes for devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Returns the parts of an entry's path below the folder of its archive; none for the folder itself.
 *
 * Names that any system would read as a way out of the folder, or as a device, are refused on every system: an archive that has them is
 * an attack or damaged, and its other entries are no better.
 *
 * @throws {RegistryError} `unsafe_archive`.
 */
export function entryPath(name: string): readonly string[] {
  const refuse = (why: string): never => {
    throw new RegistryError(
      "unsafe_archive",
      `The archive has an entry ${JSON.stringify(name.slice(0, 200))}, which ${why}. Nothing of it is used.`,
    );
  };
  if (name.includes("\0")) refuse("contains a NUL");
  if (/^[/\\]/.test(name)) refuse("is an absolute path");
  if (/^[A-Za-z]:/.test(name)) refuse("names a drive");
  const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (parts.length > maxDepth) refuse(`is deeper than ${maxDepth} folders`);
  for (const part of parts) {
    if (part === "..") refuse("leads out of its folder");
    if (Buffer.byteLength(part) > maxNameLength) refuse(`has a name of more than ${maxNameLength} bytes`);
    if (part.includes(":")) refuse("has a colon in its name");
    if (/[. ]$/.test(part) || devices.test(part)) refuse("has a name that Windows reads as another one");
  }
  return parts;
}
