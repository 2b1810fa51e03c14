import { isAbsolutePath } from "@acp-kit/protocol/internal";

/**
 * Returns the `file:` URI of an absolute path. The form of the path decides whether it is a POSIX path, a path on a
 * Windows drive or a path on a Windows share; the current platform doesn't matter.
 *
 * @throws {TypeError} for a path that is not absolute, or that no URI can represent, such as a device.
 * @example
 * ```ts
 * fileUri("/work/50 %.md"); // "file:///work/50%20%25.md"
 * fileUri("C:\\work\\a.ts"); // "file:///C:/work/a.ts"
 * fileUri("\\\\server\\share\\a.ts"); // "file://server/share/a.ts"
 * ```
 */
export function fileUri(path: string): string {
  if (!isAbsolutePath(path))
    throw new TypeError(`The path "${path}" is not absolute; a file URI needs an absolute path`);
  if (path.includes("\0")) throw new TypeError("A path can't contain a NUL character");
  if (path.startsWith("/")) return `file:///${encoded(path.replace(/^\/+/, ""))}`;
  const plain = path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
  if (plain.startsWith("\\\\.\\")) throw new TypeError(`The path "${path}" is a device, not a file`);
  const slashed = plain.replaceAll("\\", "/");
  if (!slashed.startsWith("//")) return `file:///${slashed.slice(0, 2)}${encoded(slashed.slice(2))}`;
  const [, server = "", rest = ""] = /^\/\/+([^/]+)(.*)$/s.exec(slashed) ?? [];
  if (server === "") throw new TypeError(`The path "${path}" has no server name`);
  return `file://${encoded(server)}${encoded(rest)}`;
}

/**
 * Encodes a path, including `?` and `#`, which `encodeURI` does not encode. Throws for a path that is not valid
 * Unicode.
 */
function encoded(path: string): string {
  try {
    return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  } catch (cause) {
    throw new TypeError(`The path "${path}" is not well-formed Unicode`, { cause });
  }
}

/** Returns the last name in a path or a URI. The name from a URI is percent-decoded if possible. */
export function nameOf(pathOrUri: string): string {
  const isUri = /^[A-Za-z][\w+.-]+:/.test(pathOrUri);
  const name = pathOrUri
    .replace(isUri ? /[?#].*$/s : "", "")
    .split(pathOrUri.startsWith("/") || isUri ? "/" : /[\\/]/)
    .findLast((part) => part !== "");
  if (name === undefined || !isUri) return name ?? pathOrUri;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
