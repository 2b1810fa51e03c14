// Measures starting and ending a process: `node lifecycle.mjs <ours|bare> <count>`. `ours` is `spawnAgent` and a clean
// close. `bare` is `child_process.spawn` of the same program, which exits when its input ends.
import { spawn } from "node:child_process";
import { once } from "node:events";

const [side, countText] = process.argv.slice(2);
const count = Number(countText);
const program = ["-e", "process.stdin.resume()"];

const sides = {
  async ours() {
    const { spawnAgent } = await import("@acp-kit/stdio/node");
    return async () => {
      const agent = spawnAgent({ command: process.execPath, args: program });
      agent.start({ message() {}, malformed() {}, ended() {}, failed() {} });
      await agent.close();
    };
  },
  async bare() {
    return async () => {
      const child = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "pipe"] });
      child.stdin.end();
      await once(child, "close");
    };
  },
};

const cycle = await sides[side]();
await cycle();
const started = performance.now();
for (let i = 0; i < count; i++) await cycle();
console.log(JSON.stringify({ ms: (performance.now() - started) / count }));
process.exit(0);
