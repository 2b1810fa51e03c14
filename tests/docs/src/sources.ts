import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";

/** A hand-written source of the repository. */
export interface Source {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  /** The project of the source: `packages/agent`, `tests/docs`, or `scripts`. */
  readonly project: string;
  readonly text: string;
}

const GROUPS = ["packages", "tools", "tests", "examples", "bench", "scripts"];

const SOURCE = /\.(?:ts|mjs)$/;

// Generated code, expected output of the generator, and templates, which belong to the starters' users.
const OTHERS = /\.gen\.(?:d\.)?ts$|\/cases\/|\/template\//;

/** Returns every TypeScript file and script that people write. */
export function sources(): Source[] {
  return GROUPS.flatMap((group) =>
    filesBelow(join(root, group))
      .map((path) => `${group}/${path}`)
      .filter((path) => SOURCE.test(path) && !OTHERS.test(path))
      .map((path) => ({ path, project: projectOf(path), text: readFileSync(join(root, path), "utf8") })),
  );
}

function projectOf(path: string): string {
  const [group = "", name = ""] = path.split("/");
  return group === "scripts" || group === "bench" ? group : `${group}/${name}`;
}
