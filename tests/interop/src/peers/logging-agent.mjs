// Runs an agent and copies every byte of its input and output into two files: logging-agent.mjs FOLDER COMMAND
// ARGUMENT…
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

const [folder, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const [received, sent] = ["received", "sent"].map((name) => createWriteStream(join(folder, name)));
process.stdin.on("data", (data) => received.write(data));
process.stdin.pipe(child.stdin);
child.stdout.on("data", (data) => sent.write(data));
child.stdout.pipe(process.stdout);
child.on("exit", (code) => received.end(() => sent.end(() => process.exit(code ?? 1))));
