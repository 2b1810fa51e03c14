// Runs the tests on the other supported Node versions that are on this machine: `npm test -- nodes`.
//   npm test -- nodes the newest version runs every unit test; the others run the unit tests of the packages that
//   depend most on Node;
//                              each version loads the packed packages in an empty project, and runs the demo
//   npm test -- nodes --all    each version runs every unit test, every packaging test and the demo; for releases
//   npm test -- nodes --list   only prints what would run
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";
import { findNodes } from "./find-nodes.mjs";

/**
 * The packages that depend most on Node: because of processes, pipes and framing, files and terminals, and a native
 * addon.
 */
const closestToNode = ["packages/stdio", "packages/jsonrpc", "packages/workspace", "packages/sessions"];

/**
 * The tests that load the packed packages in an empty project: by `import`, by `require()`, and as an agent over stdio.
 */
const loadingPackages = ["src/import.test.ts", "src/stdio-agent.test.ts"];

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const options = process.argv.slice(2);
const nodes = findNodes();
const newest = nodes.findLast(({ program }) => program !== undefined);

const everything = options.includes("--all");
for (const node of nodes) {
  if (node.program === undefined) {
    console.log(`Node ${node.major}: not run, because it isn't on this machine. \`npm run nodes\` installs it.`);
    continue;
  }
  const unit = everything || node === newest ? [] : closestToNode;
  const packaging = everything ? [] : loadingPackages;
  console.log(`Node ${node.version}: unit tests (${listOf(unit)}); packaging tests (${listOf(packaging)}); demo`);
  if (options.includes("--list")) continue;
  const passed = [
    run(node, "unit", [vitest, "run", ...unit]),
    run(node, "packaging", [vitest, "run", "--root", "tests/packaging", ...packaging]),
    run(node, "demo", [join(root, "scripts", "demo.mjs")]),
  ];
  if (passed.includes(false)) process.exitCode = 1;
}

function listOf(selection) {
  return selection.length === 0 ? "all" : selection.join(", ");
}

function run({ program, version }, what, args) {
  const env = { ...environment, PATH: `${dirname(program)}${delimiter}${environment.PATH}` };
  const started = performance.now();
  const { status } = spawnSync(program, args, { cwd: root, env, stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Node ${version}: ${what} ${status === 0 ? "passed" : "failed"} (${seconds} s)`);
  return status === 0;
}
