import { link, lstat, mkdir, open, realpath, symlink } from "node:fs/promises";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fileFailure, RegistryError } from "../errors.js";
import type { ArchiveEntry } from "./archive-entry.js";
import type { ArchiveLimits } from "./archive-limits.js";
import { entryPath } from "./entry-path.js";

/** Maximum length of the target of a link. The links are kept in memory until the end of the archive. */
export const maxTargetLength = 4_096;

type Link = Extract<ArchiveEntry, { readonly target: string }>;

/**
 * Writes the entries of an archive into a new folder, and never writes outside of that folder.
 *
 * The writer creates links last, after all files and folders, so that it creates no file or folder through a link. At
 * that time, the target of every symbolic link must exist inside the folder. An entry never replaces another entry.
 */
export class ArchiveWriter {
  readonly #root: string;
  readonly #limits: ArchiveLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #links: Link[] = [];
  /** The numbers of folders, by parent and name. Paths would need much more memory than the archive. */
  readonly #folders = new Map<string, number>();
  #entries = 0;
  #bytes = 0;

  /** @param root - an empty folder to which nothing else writes. */
  constructor(root: string, limits: ArchiveLimits, signal?: AbortSignal) {
    this.#root = root;
    this.#limits = limits;
    this.#signal = signal;
  }

  /**
   * Writes one entry. After an error, the caller removes the folder.
   *
   * @throws {RegistryError} `unsafe_archive`, `too_large` or `disk_full`. Rejects with the reason of an aborted signal.
   */
  async write(entry: ArchiveEntry): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#entries += 1;
    const { maxEntries } = this.#limits;
    if (this.#entries > maxEntries)
      throw new RegistryError("too_large", `The archive has more than ${maxEntries} entries.`);
    const parts = entryPath(entry.name);
    try {
      if (entry.type === "directory") await this.#makeFolder(parts);
      else if (parts.length === 0) throw refused(entry.name, "has an empty path but is not a folder");
      else if (entry.type === "file") await this.#writeFile(entry, parts);
      else if (entry.target.length > maxTargetLength)
        throw refused(entry.name, `is a link with a target of more than ${maxTargetLength} characters`);
      else this.#links.push(entry);
    } catch (error) {
      throw this.#explained(entry.name, error);
    }
  }

  /** Creates the links, after the last entry. @throws {RegistryError} as {@link write}. */
  async finish(): Promise<void> {
    this.#signal?.throwIfAborted();
    const root = await realpath(this.#root);
    for (const each of this.#links.filter(({ type }) => type === "hardlink")) await this.#link(each);
    const symlinks = this.#links.filter(({ type }) => type === "symlink");
    // All folders are created before any link. Several links together can point out of the root, and a later folder
    // would then be created there.
    for (const { name } of symlinks) await this.#makeFolderOf(name);
    for (const each of symlinks) await this.#symlink(each);
    for (const { name } of symlinks) {
      const target = await realpath(join(root, ...entryPath(name))).catch(() => undefined);
      if (target === undefined) throw refused(name, "is a link whose target does not exist");
      if (!isInside(root, target)) throw refused(name, "is a link to a target outside its folder");
    }
  }

  async #writeFile(entry: Extract<ArchiveEntry, { type: "file" }>, parts: readonly string[]): Promise<void> {
    await this.#makeFolder(parts.slice(0, -1));
    const handle = await open(join(this.#root, ...parts), "wx", entry.isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of entry.content as AsyncIterable<Buffer>) {
        this.#signal?.throwIfAborted(); // checked for each chunk, because a single entry may be very large
        this.#bytes += chunk.length;
        const { maxUnpackedBytes } = this.#limits;
        if (this.#bytes > maxUnpackedBytes) {
          throw new RegistryError("too_large", `The archive unpacks to more than ${maxUnpackedBytes} bytes.`);
        }
        for (let written = 0; written < chunk.length; ) {
          written += (await handle.write(chunk, written)).bytesWritten;
        }
      }
    } finally {
      await handle.close();
    }
  }

  async #makeFolder(parts: readonly string[]): Promise<void> {
    const known = this.#folders.size;
    let folder = 0;
    for (const part of parts) {
      const key = `${folder}/${part}`;
      folder = this.#folders.get(key) ?? this.#folders.size + 1;
      this.#folders.set(key, folder);
    }
    if (this.#folders.size === known) return;
    // Folders are counted separately, because the path of one entry can name many folders that have no entries of their
    // own.
    const { maxEntries } = this.#limits;
    if (this.#folders.size > maxEntries)
      throw new RegistryError("too_large", `The archive has more than ${maxEntries} folders.`);
    await mkdir(join(this.#root, ...parts), { recursive: true, mode: 0o755 });
  }

  async #makeFolderOf(name: string): Promise<void> {
    try {
      await this.#makeFolder(entryPath(name).slice(0, -1));
    } catch (error) {
      throw this.#explained(name, error);
    }
  }

  async #link({ name, target }: Link): Promise<void> {
    try {
      const from = join(this.#root, ...entryPath(target));
      const path = join(this.#root, ...entryPath(name));
      if (!(await lstat(from)).isFile()) throw refused(name, "is a hard link whose target is not a file");
      await this.#makeFolderOf(name);
      await link(from, path);
    } catch (error) {
      throw this.#explained(name, error);
    }
  }

  async #symlink({ name, target }: Link): Promise<void> {
    try {
      const parts = entryPath(name);
      if (target.includes("\0") || isAbsolute(target) || /^(?:[/\\]|[A-Za-z]:)/.test(target)) {
        throw refused(name, "is a link to an absolute path");
      }
      const lexical = posix.join(...parts.slice(0, -1), target.replaceAll("\\", "/"));
      if (lexical === ".." || lexical.startsWith("../"))
        throw refused(name, "is a link to a target outside its folder");
      await symlink(target, join(this.#root, ...parts));
    } catch (error) {
      throw this.#explained(name, error);
    }
  }

  #explained(name: string, error: unknown): unknown {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR") return refused(name, "appears twice");
    if (code === "ENOENT") return refused(name, "is a link whose target does not exist");
    return fileFailure("Can't unpack the archive", error);
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function refused(name: string, why: string): RegistryError {
  return new RegistryError(
    "unsafe_archive",
    `The archive has an entry ${JSON.stringify(name.slice(0, 200))}, which ${why}. The archive is not used.`,
  );
}
