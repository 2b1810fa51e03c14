// `pnpm schema:update` and `pnpm schema:diff`. `INIT_CWD` is the user's directory; pnpm runs this program in its
// package.
import { runDiff } from "./diff-command.js";
import { runUpdate } from "./update-command.js";

const [command, ...args] = process.argv.slice(2);
const cwd = process.env.INIT_CWD ?? process.cwd();

if (command === "diff") process.exitCode = await runDiff(args, cwd);
else if (command === "update") process.exitCode = await runUpdate(args, cwd);
else {
  console.error("Usage: pnpm schema:diff <before> <after> | pnpm schema:update [source]; --help lists the options.");
  process.exitCode = 2;
}
