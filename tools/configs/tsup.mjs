// One build for every package: the export map names the entries, tsup writes the JavaScript, `tsc -b` the declarations.
import { defineConfig } from "tsup";
import { entries } from "./packages.mjs";

export default (overrides = {}) =>
  defineConfig({
    entry: Object.fromEntries(entries(process.cwd()).map(({ output, source }) => [output, source])),
    format: "esm",
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    splitting: true,
    treeshake: false,
    clean: true,
    dts: false,
    silent: true,
    ...overrides,
  });
