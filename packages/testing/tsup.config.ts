import { entries } from "@acp-kit/configs/packages";
import config from "@acp-kit/configs/tsup";

// The commands are programs, so the export map, from which `modules` is made, does not contain them. They import this
// package by its name (see `external`), so that they use the built file of `./node` and don't contain a copy of its
// code.
const modules = Object.fromEntries(entries(process.cwd()).map(({ output, source }) => [output, source]));

export default config({
  entry: { ...modules, "node/acp-faulty": "src/node/acp-faulty.ts", "node/acp-script": "src/node/acp-script.ts" },
  external: [/^node:/, /^@acp-kit\/testing/],
});
