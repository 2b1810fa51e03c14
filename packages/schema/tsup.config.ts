import config from "@acp-kit/configs/tsup";
import { transform } from "esbuild";
import type { Options } from "tsup";

/**
 * ajv's code is not meant to be read: minified, it is half as large. It has no source that a stack trace could show,
 * and no source map.
 */
const minifyValidators: NonNullable<Options["plugins"]>[number] = {
  name: "minify-validators",
  async renderChunk(code, chunk) {
    if (!/validate\.js$/.test(chunk.path)) return undefined;
    chunk.map = null;
    return transform(code, { format: "esm", minify: true, target: "es2022" });
  },
};

// The schema files themselves are part of the package: copied byte for byte, with the manifest that names their source.
export default config({ publicDir: "../../schema", plugins: [minifyValidators] });
