// Runs the raw client as a process: `node raw-client-process.mjs OPTIONS -- agent command…`. OPTIONS is JSON. With
// `agent: "environment"`, the client reads the agent's command from ACP_KIT_AGENT_JSON; with `agent: "text"`, from the
// single argument after `--`.
import { spawn } from "node:child_process";
import { RawClient } from "./raw-client.mjs";

const { agent: from = "words", ...options } = JSON.parse(process.argv[2]);
const words = process.argv.slice(process.argv.indexOf("--") + 1);
const ways = {
  words: () => words,
  environment: () => JSON.parse(process.env.ACP_KIT_AGENT_JSON),
  text: () => words[0].split(" ").map((word) => word.replace(/^"(.*)"$/, "$1")),
};
const [command, ...args] = ways[from]();
if (options.wrong === "never-starts") process.exit(7);
const stderr = options.wrong === "leaves-stderr-full" ? "pipe" : "ignore";
const child = spawn(command, args, { stdio: ["pipe", "pipe", stderr] });
child.stdin.on("error", () => {});

const client = new RawClient(
  {
    write: (bytes) => child.stdin.write(bytes),
    end: () => child.stdin.end(),
    onData: (listener) => child.stdout.on("data", listener),
    onEnd: (listener) => child.stdout.on("end", listener),
  },
  { cwd: process.cwd(), ...options },
  (code) => {
    process.stdin.destroy();
    child.stdin.end(() => process.exit(code));
  },
);
process.stdin.on("data", (bytes) => client.typed(String(bytes)));
client.start();
