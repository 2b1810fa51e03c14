// Adopts the newest schema on a branch and opens a pull request with the classified report, or updates the one that is open.
// `.github/workflows/schema-update.yml` runs it every day; it needs git, a remote named origin and GitHub's `gh`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

const branch = "schema-update";
const author = "schema-update@users.noreply.github.com";
const report = join("schema", "REPORT.md");

// 0: adopted, or nothing to do. 1: kept, and a person has to finish it: generated or hand-written code has to follow, or the
// schema breaks stable v1 and the report lists what to decide. 2: failed, the tree is unchanged.
const update = run("pnpm", ["--silent", "schema:update", "--keep", "--report", report], { allow: [0, 1] });
if (output("git", ["status", "--porcelain"]) === "") {
  console.log("The schema is current: no pull request.");
} else {
  const open = openNumber();
  if (open !== undefined && isTakenOver())
    console.log(`The last commit of ${branch} is a person's: the branch and pull request ${open} stay as they are.`);
  else openPullRequest(open, update === 1);
}

/** The number of the pull request that is open; undefined when there is none. */
function openNumber() {
  const query = ["--head", branch, "--state", "open", "--json", "number", "--jq", ".[].number"];
  const [number = ""] = output("gh", ["pr", "list", ...query]).split("\n");
  return number === "" ? undefined : number;
}

/** Whether a person is finishing the adoption on the branch: a push would discard that work. */
function isTakenOver() {
  run("git", ["fetch", "--quiet", "--depth=1", "origin", branch]);
  return output("git", ["log", "-1", "--format=%ae", "FETCH_HEAD"]) !== author;
}

function openPullRequest(open, isUnfinished) {
  const { package: name, version } = JSON.parse(readFileSync(join(root, "schema", "manifest.json"), "utf8"));
  const title = `feat(schema): adopt ${name} ${version}`;
  run("git", ["checkout", "-B", branch]);
  run("git", ["add", "--all"]);
  const identity = ["-c", "user.name=schema-update", "-c", `user.email=${author}`];
  run("git", [...identity, "commit", "--quiet", "--message", title]);
  run("git", ["push", "--force", "origin", branch]);
  if (open !== undefined) {
    run("gh", ["pr", "edit", open, "--title", title, "--body-file", report]);
    // A pull request that was ready may now need a person, too.
    if (isUnfinished) run("gh", ["pr", "ready", open, "--undo"]);
  } else {
    const draft = isUnfinished ? ["--draft"] : [];
    run("gh", ["pr", "create", "--head", branch, "--title", title, "--body-file", report, ...draft]);
  }
}

/** Runs a command with its output shown. Returns its exit code; one that is not allowed ends this script. */
function run(command, args, { allow = [0] } = {}) {
  const { status, error } = start(command, args, "inherit");
  if (status !== null && allow.includes(status)) return status;
  console.error(`\n${[command, ...args].join(" ")} failed (${error?.message ?? `exit ${status}`}).`);
  process.exit(status || 1);
}

/** What a command prints, without the last newline. */
function output(command, args) {
  const { status, stdout, stderr, error } = start(command, args, "pipe");
  if (status === 0) return stdout.trimEnd();
  console.error(`${[command, ...args].join(" ")} failed (${error?.message ?? `exit ${status}`}). ${stderr ?? ""}`);
  process.exit(status || 1);
}

function start(command, args, stdio) {
  return spawnSync(command, args, { cwd: root, env: environment, encoding: "utf8", stdio: ["ignore", stdio, stdio] });
}
