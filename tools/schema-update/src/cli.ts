import { runDiff } from "./diff-command.js";

const [command, ...rest] = process.argv.slice(2);
process.exitCode = command === "diff" ? await runDiff(rest, process.env.INIT_CWD ?? process.cwd()) : 2;
