import { link, lstat, mkdir, open, realpath, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, posix, relative, sep } from "node:path";
import { fileFailure, RegistryError } from "../errors.js";
import type { ArchiveEntry } from "./archive-entry.js";
import type { ArchiveLimits } from "./archive-limits.js";
import { entryPath } from "./entry-path.js";

type Link = Extract<ArchiveEntry, { readonly target: string }>;

/**
 * Writes the entries of one archive below a new folder, and nothing outside of it.
 *
 * Links are made last, when all files have been written, so that no file is ever written through a link; symbolic links are then
 * resolved by the system, each of which must lead to something inside. An entry never replaces another one.
 */
export class ArchiveWriter {
  readonly #root: string;
  readonly #limits: ArchiveLimits;
  readonly #links: Link[] = [];
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;

  /** @param root - an empty folder, which nothing else writes to. */
  constructor(root: string, limits: ArchiveLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /** @throws {RegistryError} `unsafe_archive`, `too_large` or `disk_full`. Remove the folder then. */
  async write(entry: ArchiveEntry): Promise<void> {
    this.#entries += 1;
    const { maxEntries } = this.#limits;
    if (this.#entries > maxEntries)
      throw new RegistryError("too_large", `The archive has more than ${maxEntries} entries.`);
    const parts = entryPath(entry.name);
    try {
      if (entry.type === "directory") await this.#makeFolder(parts);
      else if (parts.length === 0) throw refused(entry.name, "is the folder itself, but not as a folder");
      else if (entry.type === "file") await this.#writeFile(entry, parts);
      else this.#links.push(entry);
    } catch (error) {
      throw this.#explained(entry.name, error);
    }
  }

  /** Makes the links. Call it after the last entry. @throws {RegistryError} as {@link write}. */
  async finish(): Promise<void> {
    const root = await realpath(this.#root);
    for (const each of this.#links.filter(({ type }) => type === "hardlink")) await this.#link(each);
    const symlinks = this.#links.filter(({ type }) => type === "symlink");
    for (const each of symlinks) await this.#symlink(each);
    for (const { name } of symlinks) {
      const target = await realpath(join(root, ...entryPath(name))).catch(() => undefined);
      if (target === undefined) throw refused(name, "is a link to nothing");
      if (!isInside(root, target)) throw refused(name, "is a link that leads out of its folder");
    }
  }

  async #writeFile(entry: Extract<ArchiveEntry, { type: "file" }>, parts: readonly string[]): Promise<void> {
    await this.#makeFolder(parts.slice(0, -1));
    const handle = await open(join(this.#root, ...parts), "wx", entry.isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of entry.content as AsyncIterable<Buffer>) {
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
    const folder = parts.join("/");
    if (this.#folders.has(folder)) return;
    await mkdir(join(this.#root, ...parts), { recursive: true, mode: 0o755 });
    this.#folders.add(folder);
  }

  async #link({ name, target }: Link): Promise<void> {
    try {
      const from = join(this.#root, ...entryPath(target));
      const path = join(this.#root, ...entryPath(name));
      if (!(await lstat(from)).isFile()) throw refused(name, "is a hard link to something else than a file");
      await mkdir(dirname(path), { recursive: true });
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
      if (lexical === ".." || lexical.startsWith("../")) throw refused(name, "is a link that leads out of its folder");
      const path = join(this.#root, ...parts);
      // A folder of this path may be a link by now: what is made there is checked, too.
      await mkdir(dirname(path), { recursive: true });
      if (!isInside(await realpath(this.#root), await realpath(dirname(path))))
        throw refused(name, "leads out of its folder by a link");
      await symlink(target, path);
    } catch (error) {
      throw this.#explained(name, error);
    }
  }

  #explained(name: string, error: unknown): unknown {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR") return refused(name, "is there twice");
    if (code === "ENOENT") return refused(name, "is a link to nothing");
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
    `The archive has an entry ${JSON.stringify(name.slice(0, 200))}, which ${why}. Nothing of it is used.`,
  );
}
