import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages, root } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";

const sources = new Map(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)] as const),
  ),
);

/** Resolves packages of this workspace to their sources, as the tests do, so that nothing must be built first. */
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

/** Bundles a TypeScript program with its imports into one runnable file. Returns its path. */
export function program(entry: URL): Promise<string> {
  const path = fileURLToPath(entry);
  const made = programs.get(path) ?? bundle(path);
  programs.set(path, made);
  return made;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [ourSources],
    logLevel: "error",
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const path = join(root, "node_modules", ".cache", "programs", `${basename(entry, ".ts")}-${hash}.mjs`);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, code);
    renameSync(`${path}.${process.pid}`, path); // The file is renamed into place, because test files run concurrently.
  }
  return path;
}
