// The build of every package: the export map contains the entries, tsup writes the JavaScript, and `tsc -b` writes the
// declarations.
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { build, defineConfig } from "tsup";
import { entries, packages } from "./packages.mjs";
import { withoutComments } from "./without-comments.mjs";

const own = entries(process.cwd());

/** Returns the code that adds to an entry the exports of the entries that share its file. */
function exportsOfSharing(path) {
  const entry = own.find(({ source }) => resolve(source) === path);
  const sharing = own.filter(({ output, source }) => output === entry?.output && source !== entry?.source);
  return sharing.map(({ source }) => `export * from ${JSON.stringify(resolve(source))};\n`).join("");
}

/** Reads sources without their comments. The published code keeps the names, lines and indentation of the sources. */
const readSources = {
  name: "without-comments",
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: withoutComments(readFileSync(path, "utf8"), path.endsWith("x")) + exportsOfSharing(path),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

/**
 * Adds the sources with comments to the source maps, because the published code has no comments. Generated sources are
 * left out, because they differ from the published code only in types.
 */
const mapToSources = {
  name: "map-to-sources",
  renderChunk(_, chunk) {
    if (!chunk.map) return;
    const map = typeof chunk.map === "string" ? JSON.parse(chunk.map) : chunk.map;
    const paths = map.sources.map((source) => resolve(dirname(chunk.path), source));
    const contents = paths.map((path) => (path.includes(".gen.") ? null : readFileSync(path, "utf8")));
    chunk.map = { ...map, sourcesContent: contents };
  },
};

/** Copies the helpers of this repository, which are in the entries `internal`, into the file that imports them. */
const copyInternals = {
  name: "copy-internals",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^@acp-kit\/[a-z-]+\/internal$/ }, ({ path }) => {
      const { directory } = packages().find(({ name }) => path === `${name}/internal`);
      const { source } = entries(directory).find(({ subpath }) => subpath === "./internal");
      return { path: resolve(directory, source), sideEffects: false };
    });
  },
};

/**
 * Builds modules that other modules of the package import with `import()`, each into one file with copies of the
 * helpers that it shares with the package and other packages. Otherwise these helpers would be in a third file, and a
 * page would load this file at its start, together with helpers that only the later module needs. `sources` are the
 * paths of the modules; their names are unique in the package, and the files that import them are directly in `dist`.
 */
export function importedLater(...sources) {
  const names = new Map(sources.map((source) => [basename(source, ".ts"), source]));
  const leaveOut = {
    name: "imported-later",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^\./ }, ({ path, kind }) => {
        const name = basename(path, ".js");
        return kind === "dynamic-import" && names.has(name) ? { path: `./${name}.js`, external: true } : undefined;
      });
    },
  };
  const later = config({
    entry: Object.fromEntries(names),
    splitting: false,
    clean: false,
    noExternal: [/\/internal$/],
    esbuildPlugins: [copyInternals],
  });
  return { esbuildPlugins: [leaveOut], onSuccess: () => build({ ...later, config: false }) };
}

/**
 * Empties the lines in which esbuild names the source of each module. The source maps name it, too. The lines stay, so
 * that the source maps stay valid.
 */
const withoutNames = {
  name: "without-names",
  renderChunk: (code) => ({ code: code.replace(/^\/\/ src\/.+$/gm, "") }),
};

// tsup empties `dist`. The compiler does not notice that its declarations are gone while its record of them exists.
for (const part of ["lib", "node"]) rmSync(`node_modules/.cache/types/${part}.tsbuildinfo`, { force: true });

function config({ plugins = [], esbuildPlugins = [], ...overrides } = {}) {
  return defineConfig({
    // An entry that shares the file of another one comes after it in the export map.
    entry: Object.fromEntries(own.toReversed().map(({ output, source }) => [output, source])),
    format: "esm",
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    removeNodeProtocol: false, // Other runtimes and bundlers recognise Node's modules by the prefix `node:`.
    splitting: true,
    treeshake: false,
    clean: true,
    dts: false,
    silent: true,
    sourcemap: true,
    esbuildPlugins: [readSources, ...esbuildPlugins],
    plugins: [mapToSources, withoutNames, ...plugins],
    ...overrides,
  });
}

export default config;
