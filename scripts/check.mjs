// The whole of CI, in the order in which a failure is cheapest to understand. `npm test` and `.ci/run` run this.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.env.PATH = `${root}node_modules/.bin${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`;
process.env.TURBO_TELEMETRY_DISABLED = "1";
process.env.DO_NOT_TRACK = "1";

const steps = [
  ["lint", "biome check --error-on-warnings ."],
  ["build", "turbo run build"],
  ["typecheck", "tsc -b"],
  ["unit", "vitest run"],
];

const only = process.argv.slice(2);
for (const [name, command] of steps) {
  if (only.length > 0 && !only.includes(name)) continue;
  const started = Date.now();
  console.log(`\n── ${name} ── ${command}`);
  const { status } = spawnSync(command, { cwd: root, stdio: "inherit", shell: true });
  if (status !== 0) {
    console.error(`\n✗ ${name} failed (exit ${status}). Run it alone with: npm test -- ${name}`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${name} ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
