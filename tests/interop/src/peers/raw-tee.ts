// Records every byte of both directions without our packages: raw-tee PREFIX COMMAND ARGS…
import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";

const [prefix = "", command = "", ...args] = process.argv.slice(2);
for (const end of ["in", "out"]) writeFileSync(`${prefix}.${end}`, "");
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("data", (chunk) => appendFileSync(`${prefix}.in`, chunk)).pipe(child.stdin);
child.stdin.on("error", () => {});
child.stdout.on("data", (chunk) => appendFileSync(`${prefix}.out`, chunk)).pipe(process.stdout);
child.on("close", (code) => process.exit(code ?? 1));
