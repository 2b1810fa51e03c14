import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { createScratch, type Scratch } from "./scratch.js";

beforeEach(({ skip }) => skip(process.platform === "win32", "the pretended tools are shell scripts"));

function workspace(): Scratch {
  const scratch = createScratch();
  scratch.write("package.json", "{}");
  scratch.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
  scratch.write("packages/jsonrpc/package.json", "{}");
  for (const tool of ["biome", "pnpm", "turbo", "tsc", "vitest", "node"])
    scratch.pretend(tool, `echo "ran ${tool} $@"`);
  return scratch;
}

/** The last lines: the number of steps and, if the unit tests ran, the files that passed only alone. */
const lastLines = (output: string) => output.trimEnd().split("\n").slice(-2);
const unstable = (files: string) => `test files that failed at first and passed alone: ${files}`;

it("passes if every step passes, and prints the number of steps", () => {
  using scratch = workspace();
  const { status, output } = scratch.run("scripts/check.mjs");
  expect(status).toBe(0);
  expect(lastLines(output)).toEqual(["10 passed, 0 failed", unstable("none")]);
});

it("fails if one step fails; the steps that don't depend on it run, and the others are listed", () => {
  using scratch = workspace();
  scratch.pretend("turbo", '[ "$2" != build ]');
  const { status, output } = scratch.run("scripts/check.mjs");
  expect(status).toBe(1);
  expect(output).toContain("ran tsc -b");
  expect(output).toContain("again, alone: npm test -- build");
  expect(output).not.toContain("ran vitest run --root tests/packaging");
  expect(lastLines(output)).toEqual(["5 passed, 1 failed, 4 not run", unstable("none")]);
});

/** A `vitest` whose unit tests fail: the report names the files, and a second run succeeds or not. */
const failing = (files: readonly string[], status: number): string => `
echo "ran vitest $@"
if [ -z "$ACP_KIT_FAILED_FILES" ]; then [ "$3" = tests/packaging ] && exit 0; exit ${status}; fi
echo '${JSON.stringify(files)}' > "$ACP_KIT_FAILED_FILES"
exit 1`;

it("runs failed test files once more, alone, and names those that pass in its last line", () => {
  using scratch = workspace();
  scratch.pretend("vitest", failing([`${scratch.directory}/packages/jsonrpc/src/a.test.ts`], 0));
  const { status, output } = scratch.run("scripts/check.mjs");
  expect(output).toContain("ran vitest run packages/jsonrpc/src/a.test.ts\n");
  expect(output).toMatch(/^✓ unit /m);
  expect(lastLines(output)).toEqual(["10 passed, 0 failed", unstable("packages/jsonrpc/src/a.test.ts")]);
  expect(status).toBe(0);
});

it("fails if a test fails twice, if many files fail, and if tests fail without a report", () => {
  const file = (name: string) => `packages/jsonrpc/src/${name}.test.ts`;
  for (const vitest of [
    failing([file("a")], 1),
    failing(["a", "b", "c", "d"].map(file), 0),
    '[ "$3" = tests/packaging ]',
  ]) {
    using scratch = workspace();
    scratch.pretend("vitest", vitest);
    expect(lastLines(scratch.run("scripts/check.mjs").output)).toEqual(["9 passed, 1 failed", unstable("none")]);
  }
});

it("runs the examples beside packaging and the site, and prints the output of each when it has ended", () => {
  using scratch = workspace();
  const pipe = join(scratch.directory, "pipe");
  execFileSync("mkfifo", [pipe]); // its reader and its writer wait for each other
  scratch.pretend("turbo", `[ "$2" = demo ] || exit 0; echo "demo 1"; echo > ${pipe}; echo "demo 2"`);
  scratch.pretend("pnpm", `[ "$2" = --filter ] || exit 0; echo "site 1"; read -r _ < ${pipe}; echo "site 2"; exit 1`);
  const { output } = scratch.run("scripts/check.mjs", ["packaging", "examples", "site"]);
  expect(output).toMatch(/── packaging: vitest run .*\nran vitest run --root tests.packaging\n/);
  expect(output).toMatch(/── examples: turbo run demo .*\ndemo 1\ndemo 2\n/);
  expect(output).toMatch(/── site: pnpm .*\nsite 1\nsite 2\n/);
  expect(output).toMatch(/^✗ site /m);
  expect(lastLines(output).at(-1)).toBe("3 passed, 1 failed");
});

it("fails when a tool is missing or killed", () => {
  using scratch = workspace();
  scratch.pretend("tsc", "kill -9 $$");
  scratch.pretend("biome", "exec no-such-tool");
  expect(lastLines(scratch.run("scripts/check.mjs").output)).toEqual(["8 passed, 2 failed", unstable("none")]);
});

it("runs the named steps, after the steps that they depend on", () => {
  using scratch = workspace();
  const { output } = scratch.run("scripts/check.mjs", ["packaging", "lint"]);
  expect(output.match(/^ran \w+/gm)).toEqual(["ran turbo", "ran biome", "ran vitest"]);
  expect(lastLines(output).at(-1)).toBe("3 passed, 0 failed");
});

it("runs the unit tests of a project or a path, after generating their sources", () => {
  using scratch = workspace();
  const { output } = scratch.run("scripts/check.mjs", ["jsonrpc", "packages/jsonrpc/package.json"]);
  const ran = ["ran turbo run sources", "ran vitest run packages/jsonrpc packages/jsonrpc/package.json"];
  expect(output.match(/^ran (turbo|vitest) .*?(?= --|$)/gm)).toEqual(ran);
  expect(lastLines(output)).toEqual(["2 passed, 0 failed", unstable("none")]);
});

it("passes an option to the step that has the option, and refuses unknown options", () => {
  using scratch = workspace();
  expect(scratch.run("scripts/check.mjs", ["nodes", "--all"]).output).toContain(
    "ran node scripts/check-nodes.mjs --all\n",
  );
  for (const words of [["nodes", "--al"], ["lint", "--all"], ["--all"]]) {
    const { status, errors } = scratch.run("scripts/check.mjs", words);
    expect(status).toBe(2);
    expect(errors).toMatch(/^--all? is no option of (nodes|lint|all steps)\.$/m);
  }
});

it("refuses an unknown argument, instead of passing without a step", () => {
  using scratch = workspace();
  const { status, errors } = scratch.run("scripts/check.mjs", ["lnit"]);
  expect(status).toBe(2);
  expect(errors).toContain('"lnit" is no step');
});
