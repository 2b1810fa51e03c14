#!/usr/bin/env node
// A committed file, so that the command is linked before anything is built.
import { existsSync } from "node:fs";

const program = new URL("../dist/node/cli.js", import.meta.url);
if (!existsSync(program)) {
  process.stderr.write("acp-kit is not built yet: run `npm test`, `npm run demo` or `npm run build` first.\n");
  process.exit(1);
}
const { main } = await import(program.href);

// Not `exitCode`: whatever still holds this process (a terminal that is read) must not keep it when the command has ended.
process.exit(await main(process.argv.slice(2)));
