// Runs all steps of CI. Steps whose failures are easy to understand come first. `npm test` and `.ci/run` run this
// script.
//   npm test                     every step
//   npm test -- lint packaging   these steps, and the steps that they need
//   npm test -- jsonrpc          the unit tests of one project (or of a path)
//   npm test -- nodes --all      the step `nodes` with its option `--all`: all tests on each other Node version
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { projects, root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";
import { failedFiles, reporters } from "./failed-files.mjs";
import { leftProcesses } from "./left-processes.mjs";

const steps = [
  { name: "lint", command: "biome check --error-on-warnings ." },
  { name: "generate", command: "pnpm --silent generate --check" },
  // Generates the files that are not committed. A build also does this.
  { name: "sources", command: "turbo run sources --output-logs=errors-only" },
  { name: "build", command: "turbo run build --output-logs=errors-only" },
  { name: "typecheck", command: "tsc -b --checkers 1", needs: "sources" },
  { name: "unit", command: "vitest run", needs: "sources" },
  // The next three steps run at the same time: packaging often waits for a registry, and each of the others uses one
  // processor.
  { name: "packaging", command: "vitest run --root tests/packaging", needs: "build" },
  {
    name: "examples",
    command: "turbo run demo --only --filter=./examples/* --concurrency=1 --output-logs=errors-only",
    needs: "build",
    beside: "packaging",
  },
  { name: "site", command: "pnpm --silent --filter @acp-kit/site site", needs: "build", beside: "examples" },
  { name: "nodes", command: "node scripts/check-nodes.mjs", needs: "build", options: ["--all", "--list"] },
];

// The engines of the gateway that need a program. `@acp-kit/servers` writes the name of each started engine to `notes`.
const engines = ["Redis", "PostgreSQL"];
/** The maximum number of failed test files that are run once more. */
const MAX_REPEATED = 3;
const notes = mkdtempSync(join(tmpdir(), "acp-kit-check-"));

const outcomes = new Map();
for (const together of inGroups(selected(process.argv.slice(2)))) {
  const found = await Promise.all(together.map((step) => outcomeOf(step, together.length > 1)));
  together.forEach((step, index) => {
    outcomes.set(step, found[index]);
  });
  const names = together.map(({ name }) => name).join(" or ");
  for (const { pid, command } of leftProcesses(`ACP_KIT_ENGINES=${notes}`))
    console.log(`${names} left a process behind: ${pid} ${command.slice(0, 200)}`);
}
summarize();

/** Groups the steps that run at the same time. */
function inGroups(all) {
  const groups = [];
  for (const step of all) {
    const group = groups.at(-1);
    if (group?.some(({ name }) => name === step.beside)) group.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** @param isBeside whether another step runs at the same time. If so, the output is printed when the step has ended. */
async function outcomeOf({ name, command, needs }, isBeside) {
  const needed = [...outcomes].find(([step]) => step.name === needs);
  if (needed && needed[1].passed !== true) return { passed: undefined, note: `not run, because ${needs} failed` };
  const title = `\n── ${name}: ${command}`;
  if (!isBeside) console.log(title);
  const started = performance.now();
  const report = join(notes, "failed-files.json");
  const passed =
    name === "unit"
      ? await succeeds(`${command} ${reporters()}`, { report })
      : await succeeds(command, { title: isBeside ? title : undefined });
  const repeated = name === "unit" && !passed ? await repeatedAlone(report) : undefined;
  const note = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  return { passed: repeated !== undefined || passed, note, unstable: repeated };
}

/**
 * @param report the file to which the failed test files are written.
 * @param title if present, it is printed when the command has ended, before the output.
 */
async function succeeds(command, { report = "", title } = {}) {
  const env = { ...environment, ACP_KIT_ENGINES: notes, ACP_KIT_FAILED_FILES: report };
  const stdio = title === undefined ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(command, { cwd: root, env, stdio, shell: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => output.push(part));
  const [status] = await once(child, "close");
  if (title !== undefined) {
    console.log(title);
    process.stdout.write(Buffer.concat(output));
  }
  return status === 0;
}

/**
 * Runs the files with failed tests once more, without other tests beside them. A file that passes now depends on the
 * load of the machine, or on chance. Such a file does not fail the step, but the last line of the summary names it, so
 * that a maintainer can repair it. Returns these files, or `undefined` if a file fails again. If many files failed,
 * they are not run again.
 */
async function repeatedAlone(report) {
  const files = failedFiles(report, root);
  if (files.length === 0 || files.length > MAX_REPEATED) return undefined;
  console.log(`\n── unit, once more and alone: ${files.join(" ")}`);
  if (!(await succeeds(`vitest run ${files.join(" ")}`))) return undefined;
  return files;
}

/**
 * Returns the steps to run: all steps, or the named steps with the steps that they need. A project or a path selects
 * its unit tests.
 */
function selected(args) {
  const options = args.filter((word) => word.startsWith("--"));
  const words = args.filter((word) => !options.includes(word));
  if (args.length === 0) return steps;
  const named = steps.filter(({ name }) => words.includes(name)).map((step) => withOptions(step, options));
  const unknown = options.find((option) => !named.some((step) => step.options?.includes(option)));
  if (unknown !== undefined) refuse(`${unknown} is no option of ${words.join(" or ") || "all steps"}.`);
  const paths = words.filter((word) => !steps.some(({ name }) => name === word)).map(pathOf);
  if (paths.length > 0) named.push({ name: "unit", command: `vitest run ${paths.join(" ")}`, needs: "sources" });
  const isNamed = (name) => named.some((step) => step.name === name);
  return steps.filter(({ name }) => named.some(({ needs }) => needs === name) && !isNamed(name)).concat(named);
}

function withOptions(step, options) {
  return { ...step, command: [step.command, ...options.filter((option) => step.options?.includes(option))].join(" ") };
}

function pathOf(word) {
  const project = projects().find(({ directory }) => directory !== root && basename(directory) === word);
  const path = project?.directory ?? join(root, word);
  if (existsSync(path)) return relative(root, path).split(sep).join("/");
  return refuse(`"${word}" is no step (${steps.map(({ name }) => name).join(", ")}), no project and no path.`);
}

function refuse(problem) {
  console.error(problem);
  process.exit(2);
}

function summarize() {
  const results = [...outcomes.values()];
  const count = (value) => results.filter(({ passed }) => passed === value).length;
  console.log();
  for (const [{ name }, { passed, note }] of outcomes) {
    const mark = passed ? "✓" : passed === false ? "✗" : "-";
    console.log(`${mark} ${name.padEnd(10)} ${note}${passed === false ? `   again, alone: npm test -- ${name}` : ""}`);
  }
  reportEngines();
  const left = count(undefined);
  console.log(`\n${count(true)} passed, ${count(false)} failed${left > 0 ? `, ${left} not run` : ""}`);
  if (isStep("unit")) {
    const unstable = results.flatMap(({ unstable = [] }) => unstable);
    console.log(`test files that failed at first and passed alone: ${unstable.join(", ") || "none"}`);
  }
  process.exitCode = results.every(({ passed }) => passed === true) ? 0 : 1;
}

function isStep(wanted) {
  return [...outcomes.keys()].some(({ name }) => name === wanted);
}

/** Prints which engines were tested, because tests are skipped if the program of an engine is missing. */
function reportEngines() {
  const tested = engines.filter((name) => readdirSync(notes).includes(name));
  rmSync(notes, { recursive: true });
  if (![...outcomes.keys()].some(({ name, command }) => name === "unit" && command === "vitest run")) return;
  const missing = engines.filter((name) => !tested.includes(name));
  const rest = missing.length > 0 ? `; skipped, because the program is missing: ${missing.join(", ")}` : "";
  console.log(`engines of the gateway that were tested: ${["memory", "SQLite", ...tested].join(", ")}${rest}`);
}
