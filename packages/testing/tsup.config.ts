import { entries } from "@acp-kit/configs/packages";
import config from "@acp-kit/configs/tsup";

// Commands are not modules to import, so the export map doesn't name them. They import this package by its name, so that the
// code of `./node` stays in one file, beside them.
const modules = Object.fromEntries(entries(process.cwd()).map(({ output, source }) => [output, source]));

export default config({
  entry: { ...modules, "node/acp-faulty": "src/node/acp-faulty.ts", "node/acp-script": "src/node/acp-script.ts" },
  external: [/^node:/, /^@acp-kit\/testing/],
});
