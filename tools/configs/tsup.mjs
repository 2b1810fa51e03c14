// One build for every package: the export map names the entries, tsup writes the JavaScript, `tsc -b` the declarations.
import { transform } from "esbuild";
import { defineConfig } from "tsup";
import { entries } from "./packages.mjs";

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
    plugins: [withoutSpace, ...plugins],
    ...overrides,
  });

/**
 * Whoever starts an agent reads this code from the disk: without comments and indentation it is a quarter shorter. Names and statements
 * stay as they are, in lines, for stack traces and debuggers, and so nothing has a source map; what the comments say is in the declarations.
 *
 * Only what tells bundlers that they may drop a call has to survive. An operator's left side does, where a comment would not; where it
 * can't stand, the build fails.
 */
const withoutSpace = {
  name: "without-space",
  async renderChunk(text) {
    const options = { format: "esm", target: "es2022", minifyWhitespace: true, lineLimit: 120 };
    const { code } = await transform(text.replaceAll("/* @__PURE__ */ ", "__PURE__ in "), options);
    return { code: code.replaceAll(/__PURE__ in\s/g, "/* @__PURE__ */") };
  },
};
