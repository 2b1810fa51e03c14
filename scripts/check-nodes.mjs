// Runs the tests on the other Node versions that the packages support, as far as they are on this machine: `npm test -- nodes`.
//   node scripts/check-nodes.mjs          the newest of them runs every unit test, the others the tests that depend on Node most
//   node scripts/check-nodes.mjs --all    each runs every unit test
//   node scripts/check-nodes.mjs --list   only says what would run
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";
import { findNodes } from "./find-nodes.mjs";

/** What Node itself does most of: processes, pipes and framing; files and terminals; a native addon. */
const closestToNode = ["packages/stdio", "packages/jsonrpc", "packages/workspace", "packages/sessions"];

/** The packed packages, imported and required, in a project of their own. */
const packagingSmoke = ["src/import.test.ts", "src/stdio-agent.test.ts"];

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const options = process.argv.slice(2);
const nodes = findNodes();
const newest = nodes.findLast(({ program }) => program !== undefined);

for (const node of nodes) {
  if (node.program === undefined) {
    console.log(`Node ${node.major}: not run, it isn't on this machine. \`npm run nodes\` installs it.`);
    continue;
  }
  const isWhole = node === newest || options.includes("--all");
  const selection = isWhole ? [] : closestToNode;
  console.log(`Node ${node.version}: ${isWhole ? "all unit tests" : selection.join(", ")}; packaging; demo`);
  if (options.includes("--list")) continue;
  const passed = [
    run(node, "unit", [vitest, "run", ...selection]),
    run(node, "packaging", [vitest, "run", "--root", "tests/packaging", ...packagingSmoke]),
    run(node, "demo", [join(root, "scripts", "demo.mjs")]),
  ];
  if (passed.includes(false)) process.exitCode = 1;
}

function run({ program, version }, what, args) {
  const env = { ...environment, PATH: `${dirname(program)}${delimiter}${environment.PATH}` };
  const started = performance.now();
  const { status } = spawnSync(program, args, { cwd: root, env, stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Node ${version}: ${what} ${status === 0 ? "passed" : "failed"} (${seconds} s)`);
  return status === 0;
}
