// Runs the showcase: a real client process drives a real agent process through a whole conversation.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.env.PATH = `${root}node_modules/.bin${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`;
process.env.TURBO_TELEMETRY_DISABLED = "1";
process.env.DO_NOT_TRACK = "1";
const build = spawnSync("turbo run build --output-logs=errors-only --log-order=grouped", {
  cwd: root,
  stdio: "inherit",
  shell: true,
});
if (build.status !== 0) process.exit(build.status ?? 1);
const demo = spawnSync(process.execPath, ["examples/showcase/src/main.mjs", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(demo.status ?? 1);
