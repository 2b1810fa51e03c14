import { realpath, stat } from "node:fs/promises";
import { parse, sep } from "node:path";
import type { Root } from "../roots.js";
import { fold } from "./deny-list.js";

/** A root with its real path. */
export interface RealRoot extends Root {
  readonly realPath: string;
}

/** Stores the real path of each root at its first use. The target of a link that later replaces it is no root. */
export class RealRoots {
  readonly #known = new Map<string, string>();

  /** Returns `undefined` while the root doesn't exist. */
  async find(root: Root): Promise<RealRoot | undefined> {
    try {
      const realPath = this.#known.get(root.path) ?? (await realpath(root.path));
      this.#known.set(root.path, realPath);
      return { ...root, realPath };
    } catch {
      return undefined;
    }
  }
}

/**
 * Returns the names of a real path below a root, or `undefined` if the path is not below the root. If the names differ
 * only in case or Unicode normalisation, the identities of the directories are compared, because some file systems
 * ignore these differences.
 */
export async function namesBelow(root: string, path: string): Promise<string[] | undefined> {
  const top = namesOf(root);
  const names = namesOf(path);
  if (names.length < top.length || top.some((name, index) => fold(name) !== fold(names[index] ?? ""))) return undefined;
  const spelled = names.slice(0, top.length);
  if (spelled.some((name, index) => name !== top[index]) && !(await same(root, spelled.join(sep)))) return undefined;
  return names.slice(top.length);
}

function namesOf(path: string): string[] {
  const { root } = parse(path);
  const below = path.slice(root.length).split(sep);
  return [root.endsWith(sep) ? root.slice(0, -1) : root, ...below.filter((name) => name !== "")];
}

async function same(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([stat(one, { bigint: true }), stat(other, { bigint: true })]);
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
