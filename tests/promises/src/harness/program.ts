import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";

const sources = new Map(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)] as const),
  ),
);

/** Packages of this workspace are their sources, as in the tests themselves: nothing has to be built first. */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    build.onResolve({ filter: /^@acp-kit\// }, ({ path }) => {
      const source = sources.get(path);
      return source === undefined ? undefined : { path: source };
    });
  },
};

const programs = new Map<string, Promise<string>>();

/** Makes one runnable file of a TypeScript program and everything it imports; returns its path. */
export function program(entry: URL): Promise<string> {
  const path = fileURLToPath(entry);
  const made = programs.get(path) ?? bundle(path);
  programs.set(path, made);
  return made;
}

async function bundle(entry: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "acp-kit-program-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const outfile = join(directory, `${basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [ourSources],
    logLevel: "error",
  });
  return outfile;
}
