// This file is in the repository, so that package managers can link the command before the package is built.
import { existsSync } from "node:fs";

const program = new URL("../dist/node/cli.js", import.meta.url);
if (!existsSync(program)) {
  process.stderr.write("acp-kit is not built yet: run `npm test`, `npm run demo` or `npm run build` first.\n");
  process.exit(1);
}
const { main } = await import(program.href);

// `process.exit` and not `exitCode`: an open handle, such as a terminal that is being read, must not keep the process
// running after the command has ended.
process.exit(await main(process.argv.slice(2)));
