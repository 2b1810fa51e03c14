// One build for every package: the export map names the entries, tsup writes the JavaScript, `tsc -b` the declarations.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig } from "tsup";
import { entries } from "./packages.mjs";
import { withoutComments } from "./without-comments.mjs";

/** Reads sources without their comments: names, lines and indentation of the published code are those of the sources. */
const readSources = {
  name: "without-comments",
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: withoutComments(readFileSync(path, "utf8"), path.endsWith("x")),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

/**
 * Source maps contain the sources, comments included, because the packages don't. Generated sources are left out: they differ from the
 * published code in their types alone.
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

export default ({ plugins = [], esbuildPlugins = [], ...overrides } = {}) =>
  defineConfig({
    entry: Object.fromEntries(entries(process.cwd()).map(({ output, source }) => [output, source])),
    format: "esm",
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    removeNodeProtocol: false, // other runtimes and bundlers know Node's modules by it
    splitting: true,
    treeshake: false,
    clean: true,
    dts: false,
    silent: true,
    sourcemap: true,
    esbuildPlugins: [readSources, ...esbuildPlugins],
    plugins: [mapToSources, ...plugins],
    ...overrides,
  });
