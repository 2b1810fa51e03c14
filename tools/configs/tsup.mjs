// One build for every package: the export map names the entries, tsup writes the JavaScript, `tsc -b` the declarations.
import { defineConfig } from "tsup";
import { entries } from "./packages.mjs";
import { withoutSpace } from "./without-space.mjs";

export default ({ plugins = [], ...overrides } = {}) =>
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
    plugins: [{ name: "without-space", renderChunk: async (code) => ({ code: await withoutSpace(code) }) }, ...plugins],
    ...overrides,
  });
