import { basename, dirname, join, resolve } from "node:path";
import type { Root } from "../roots.js";
import { type DenyList, denyList } from "./deny-list.js";
import { type FileIdentity, hasDeniedName } from "./hard-links.js";
import { nameProblem } from "./name-problem.js";
import { exceededPathLimit } from "./path-limits.js";
import { type RealLocation, realLocation } from "./real-location.js";
import { namesBelow, type RealRoot, RealRoots } from "./real-root.js";
import { refusal } from "./refusal.js";
import { notAFile } from "./system-failure.js";

/** A path inside a root. The file may be moved afterwards, so opening it checks the location again. */
export interface Place extends RealLocation {
  /** The path as the agent sent it. */
  readonly path: string;
  /** The path with all links resolved; it may end in names that don't exist yet. */
  readonly realPath: string;
}

/** The purpose of an access. */
export interface Purpose {
  readonly change: boolean;
  /** Whether the access is to a link itself and not to its target. Deleting and renaming are such accesses. */
  readonly entry?: boolean;
}

/** How a file with several names is handled: see the option `hardLinks` of `workspaceFiles`. */
export type HardLinks = "search" | "refuse";

/** Decides which files an agent may use: files whose real path is below a root, except denied files. */
export class Confinement {
  readonly #roots = new RealRoots();
  readonly #denied: DenyList;
  readonly #hardLinks: HardLinks;

  /** @throws {TypeError} for a pattern that could never match. */
  constructor(deny: readonly string[], hardLinks: HardLinks = "search") {
    this.#denied = denyList(deny);
    this.#hardLinks = hardLinks;
  }

  /**
   * Resolves a path.
   *
   * `..` is removed before links are resolved, so that `/work/link/../a` is `/work/a`.
   *
   * @throws {RpcError} when the agent may not use the path, or when its real path can't be determined.
   */
  async find(path: string, roots: readonly Root[], purpose: Purpose): Promise<Place> {
    assertPath(path);
    const normal = resolve(path);
    const location = await this.#locate(normal, path, purpose);
    const realPath = join(location.existing, ...location.missing);
    const { names } = await this.#judge(realPath, path, roots, purpose);
    // A root itself: the directory that contains it is outside
    if (purpose.change && names.length === 0) throw notAFile(path);
    for (const root of await this.#realRoots(roots)) {
      for (const top of new Set([resolve(root.path), root.realPath])) {
        const names = await namesBelow(top, normal);
        if (names !== undefined && this.#denied.matches(names)) throw denied(path);
      }
    }
    return { ...location, path, realPath };
  }

  /**
   * Checks a real path; `path` is the path as the agent sent it. The innermost root decides whether the file may be
   * changed. A pattern of `deny` applies when it matches below any root.
   *
   * @throws {RpcError} when the agent may not use the file for this purpose.
   */
  async judge(realPath: string, path: string, roots: readonly Root[], purpose: Purpose): Promise<void> {
    await this.#judge(realPath, path, roots, purpose);
  }

  /** Does the same as {@link judge}, and returns the path relative to the innermost root. */
  async #judge(realPath: string, path: string, roots: readonly Root[], { change }: Purpose): Promise<Position> {
    const positions = await this.#positionsOf(realPath, roots);
    const innermost = innermostOf(positions);
    if (innermost === undefined) throw outside(path);
    if (positions.some(({ names }) => this.#denied.matches(names))) throw denied(path);
    if (change && innermost.root.readOnly === true) throw refusal("read_only", path, "its folder is read-only");
    return innermost;
  }

  /**
   * Refuses a file with several names (hard links): always with `hardLinks: "refuse"`, otherwise if another of its
   * names is denied, see {@link hasDeniedName}.
   *
   * @throws {RpcError} when the file is refused, and when there are too many entries to search.
   */
  async judgeLinked(file: FileIdentity, realPath: string, path: string, roots: readonly Root[]): Promise<void> {
    if (this.#hardLinks === "refuse") throw linked(path);
    if (this.#denied.isEmpty) return;
    for (const { root, names } of await this.#positionsOf(realPath, roots)) {
      if (await hasDeniedName(file, root.realPath, names.slice(0, -1), this.#denied)) throw denied(path);
    }
  }

  async #locate(normal: string, path: string, { entry = false }: Purpose): Promise<RealLocation> {
    try {
      if (!entry) return await realLocation(normal);
      const { existing, missing } = await realLocation(dirname(normal));
      return { existing, missing: [...missing, basename(normal)] };
    } catch {
      throw outside(path); // links in a circle, or a directory without permission: the real path is unknown
    }
  }

  async #positionsOf(realPath: string, roots: readonly Root[]): Promise<Position[]> {
    const positions: Position[] = [];
    for (const root of await this.#realRoots(roots)) {
      const names = await namesBelow(root.realPath, realPath);
      if (names !== undefined) positions.push({ root, names });
    }
    return positions;
  }

  async #realRoots(roots: readonly Root[]): Promise<RealRoot[]> {
    const found = await Promise.all(roots.map((root) => this.#roots.find(root)));
    return found.filter((root) => root !== undefined);
  }
}

interface Position {
  readonly root: RealRoot;
  readonly names: readonly string[];
}

/** Returns the shortest path, of the innermost root. If two roots are the same, the read-only one is used. */
function innermostOf(positions: readonly Position[]): Position | undefined {
  let innermost: Position | undefined;
  for (const position of positions) {
    const isDeeper = innermost === undefined || position.names.length < innermost.names.length;
    if (isDeeper || (position.names.length === innermost?.names.length && position.root.readOnly)) innermost = position;
  }
  return innermost;
}

/** @throws {RpcError} for a path that can't name a file on this system. */
function assertPath(path: string): void {
  switch (nameProblem(path, process.platform)) {
    case "not_absolute":
      throw refusal("not_absolute", path, "must be absolute");
    case "bad_name":
      throw refusal("bad_name", path, "this system does not allow the file name");
    case "too_long": {
      const limit = exceededPathLimit(path, process.platform);
      throw refusal("too_long", path, `the path is longer or deeper than this system allows (limit ${limit})`, {
        limit,
      });
    }
  }
}

/** The error for a path outside the roots, the same whether or not it exists, to reveal nothing. */
export function outside(path: string): Error {
  return refusal("outside", path, "the path is not in a folder of this session");
}

function linked(path: string): Error {
  return refusal("denied", path, "the client denies access to files that have several names (hard links)");
}

function denied(path: string): Error {
  return refusal("denied", path, "the client denies access to this file");
}
