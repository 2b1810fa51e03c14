import { basename, dirname, join, resolve } from "node:path";
import type { Root } from "../roots.js";
import { type DenyList, denyList } from "./deny-list.js";
import { nameProblem } from "./name-problem.js";
import { type RealLocation, realLocation } from "./real-location.js";
import { namesBelow, type RealRoot, RealRoots } from "./real-root.js";
import { refusal } from "./refusal.js";

/** A path that has been found inside a root. Whoever opens it has to look again: it may have moved since. */
export interface Place extends RealLocation {
  /** As the agent wrote it. */
  readonly path: string;
  /** Links resolved; what doesn't exist is included. */
  readonly realPath: string;
}

/** What a place is wanted for. */
export interface Purpose {
  readonly change: boolean;
  /** The entry itself is meant, though it may be a link: to delete or rename it. */
  readonly entry?: boolean;
}

/** Tells which files an agent may use: those really below a root, except the denied ones. */
export class Confinement {
  readonly #roots = new RealRoots();
  readonly #denied: DenyList;

  constructor(deny: readonly string[]) {
    this.#denied = denyList(deny);
  }

  /**
   * Where a path leads.
   *
   * `..` is taken away before links are looked at, so that `/work/link/../a` is `/work/a`.
   *
   * @throws {RpcError} when the agent may not go there, or when that can't be told.
   */
  async find(path: string, roots: readonly Root[], purpose: Purpose): Promise<Place> {
    const problem = nameProblem(path, process.platform);
    if (problem === "not_absolute") throw refusal(problem, path, "must be absolute");
    if (problem === "bad_name") throw refusal(problem, path, "not the name of a file on this system");
    const normal = resolve(path);
    const location = await this.#locate(normal, path, purpose);
    const realPath = join(location.existing, ...location.missing);
    await this.judge(realPath, path, roots, purpose);
    for (const root of roots) {
      const names = await namesBelow(resolve(root.path), normal);
      if (names !== undefined && this.#denied(names)) throw denied(path);
    }
    return { ...location, path, realPath };
  }

  /**
   * Judges a path without links; `path` is what the agent calls it.
   *
   * @throws {RpcError} when the agent may not use it so.
   */
  async judge(realPath: string, path: string, roots: readonly Root[], { change }: Purpose): Promise<void> {
    const innermost = await this.#innermost(realPath, roots);
    if (innermost === undefined) throw outside(path);
    if (this.#denied(innermost.names)) throw denied(path);
    if (change && innermost.root.readOnly === true) throw refusal("read_only", path, "its folder is read-only");
  }

  async #locate(normal: string, path: string, { entry = false }: Purpose): Promise<RealLocation> {
    try {
      if (!entry) return await realLocation(normal);
      const { existing, missing } = await realLocation(dirname(normal));
      return { existing, missing: [...missing, basename(normal)] };
    } catch {
      throw outside(path); // a circle of links, or a directory that isn't ours to look into: unsure is no
    }
  }

  async #innermost(realPath: string, roots: readonly Root[]): Promise<{ root: RealRoot; names: string[] } | undefined> {
    let innermost: { root: RealRoot; names: string[] } | undefined;
    for (const each of roots) {
      const root = await this.#roots.find(each);
      const names = root && (await namesBelow(root.realPath, realPath));
      if (root === undefined || names === undefined) continue;
      if (innermost === undefined || names.length < innermost.names.length) innermost = { root, names };
      else if (names.length === innermost.names.length && root.readOnly) innermost = { root, names };
    }
    return innermost;
  }
}

/** The same answer whatever lies there, so that it tells nothing of what is outside. */
export function outside(path: string): Error {
  return refusal("outside", path, "not in a folder of this session");
}

function denied(path: string): Error {
  return refusal("denied", path, "closed to agents by the client");
}
