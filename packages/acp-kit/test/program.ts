import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type OutputFile, type Plugin } from "esbuild";

const directory = fileURLToPath(new URL("..", import.meta.url));

/** Returns the source file of an entry point of this workspace, from the export map of its package. */
function sourceOf(specifier: string): string {
  const [, name = "", ...rest] = specifier.split("/");
  const manifest = join(directory, "..", name, "package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, { types: string }> };
  const target = exports[[".", ...rest].join("/")]?.types ?? ""; // several entries can share a file of the build
  return join(dirname(manifest), target.replace("./dist/", "./src/").replace(/\.d\.ts$/, ".ts"));
}

/**
 * Resolves third-party packages that `acp-kit` itself does not depend on: each is in the `node_modules` of a bundled
 * workspace package.
 */
const bundledLibraries: Plugin = {
  name: "bundled-libraries",
  setup(build) {
    const file = (...path: string[]): string => pathToFileURL(join(directory, "..", ...path)).href;
    const webSocket = file("http", "node_modules", "ws", "wrapper.mjs");
    const sqlite = file("gateway", "node_modules", "libsql", "index.js");
    const archives: Readonly<Record<string, string>> = {
      semver: file("registry", "node_modules", "semver", "index.js"),
      tar: file("registry", "node_modules", "tar", "dist", "esm", "index.js"),
      "unbzip2-stream": file("registry", "node_modules", "unbzip2-stream", "index.js"),
      yauzl: file("registry", "node_modules", "yauzl", "index.js"),
    };
    build.onResolve({ filter: /^(?:semver|tar|yauzl)$/ }, ({ path }) => ({
      path: archives[path] ?? path,
      external: true,
    }));
    build.onResolve({ filter: /^ws$/ }, () => ({ path: webSocket, external: true }));
    const metrics = file("gateway", "node_modules", "prom-client", "index.js");
    const redis = file("gateway-redis", "node_modules", "@redis", "client", "dist", "index.js");
    const postgres = file("gateway-postgres", "node_modules", "pg", "esm", "index.mjs");
    build.onResolve({ filter: /^libsql$/ }, () => ({ path: sqlite, external: true }));
    build.onResolve({ filter: /^@redis\/client$/ }, () => ({ path: redis, external: true }));
    build.onResolve({ filter: /^pg$/ }, () => ({ path: postgres, external: true }));
    build.onResolve({ filter: /^prom-client$/ }, () => ({ path: metrics, external: true }));
  },
};

/** Resolves packages of this workspace to their sources, so that no build is necessary. */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    // The page of the inspector exists only in its built package, so the inspector is not bundled.
    build.onResolve({ filter: /^@acp-kit\/inspector$/ }, ({ path }) => ({ path, external: true }));
    build.onResolve({ filter: /^@acp-kit\// }, ({ path }) => ({ path: sourceOf(path) }));
  },
};

const cache: string = join(directory, "node_modules", ".cache", "acp-kit");
let made: Promise<string> | undefined;

/** Builds the command line once per process and returns its path. */
export function commandLine(): Promise<string> {
  made ??= bundle();
  return made;
}

/**
 * Bundles the real program from the sources. The folder of the bundle is named after the hash of its content, so test
 * files with the same sources share one bundle. The bundle is below this package, because the program searches the
 * parent folders for its manifest.
 */
async function bundle(): Promise<string> {
  const main = JSON.stringify(join(directory, "src", "node", "cli.ts"));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { main } from ${main}; process.exit(await main(process.argv.slice(2)));`,
      resolveDir: directory,
    },
    write: false,
    bundle: true,
    splitting: true, // as in the published program: a command loads only the modules that it needs
    outdir: ".",
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["commander", "diff", "marked", "string-width"],
    plugins: [ourSources, bundledLibraries],
    logLevel: "error",
  });
  const hash = createHash("sha256");
  for (const { path, contents } of outputFiles) hash.update(basename(path)).update(contents);
  const folder = join(cache, hash.digest("hex").slice(0, 16));
  if (!existsSync(folder)) write(outputFiles, folder);
  return join(folder, "stdin.js");
}

/**
 * Writes the bundle to a temporary folder and renames it, because several test files may write it at the same time.
 * Removes bundles older than an hour.
 */
function write(files: readonly OutputFile[], folder: string): void {
  removeOlder();
  const scratch = `${folder}.${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(scratch, basename(path)), contents);
  writeFileSync(join(scratch, "package.json"), '{"type":"module"}');
  try {
    renameSync(scratch, folder);
  } catch (error) {
    rmSync(scratch, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeOlder(): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
