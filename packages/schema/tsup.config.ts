import config from "@acp-kit/configs/tsup";
import { transform } from "esbuild";
import type { Options } from "tsup";

/** ajv's code is not meant to be read; without its spaces and long names it is half as large. */
const minifyValidators: NonNullable<Options["plugins"]>[number] = {
  name: "minify-validators",
  async renderChunk(code, { path }) {
    if (!/validate\.js$/.test(path)) return undefined;
    return transform(code, { format: "esm", minify: true, target: "es2022" });
  },
};

// The schema files themselves are part of the package: copied byte for byte, with the manifest that names their source.
export default config({ publicDir: "../../schema", plugins: [minifyValidators] });
