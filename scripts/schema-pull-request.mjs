// Adopts the newest schema on a branch, and opens or updates a pull request with the report. It looks at the releases
// of the specification, and, as long as the schema comes from npm, at the npm package.
// `.github/workflows/schema-update.yml` runs it every day; it needs git, a remote named origin and GitHub's `gh`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

const branch = "schema-update";
const author = "schema-update@users.noreply.github.com";
const report = join("schema", "REPORT.md");

// Exit code 0: the schema was adopted, or there was nothing to do. 1: the new schema is in the tree, and a maintainer
// has to finish the adoption: adapt code, or make the decisions that the report lists. 2: the update failed, and the
// tree is unchanged.
let update = 0;
// The specification has a release before the npm package contains it, so after that the package has nothing newer.
for (const source of manifest().source?.startsWith("npm:") ? ["specification", "latest"] : ["specification"]) {
  update = run("pnpm", ["--silent", "schema:update", source, "--keep", "--report", report], { allow: [0, 1] });
  if (isChanged()) break;
}
if (!isChanged()) {
  console.log("The schema is current: no pull request.");
} else {
  const open = openNumber();
  if (open !== undefined && isTakenOver())
    console.log(
      `The last commit of ${branch} was made by a person, so the branch and pull request ${open} are not changed.`,
    );
  else openPullRequest(open, update === 1);
}

function isChanged() {
  return output("git", ["status", "--porcelain"]) !== "";
}

function manifest() {
  return JSON.parse(readFileSync(join(root, "schema", "manifest.json"), "utf8"));
}

/** Returns the number of the open pull request, or undefined. */
function openNumber() {
  const query = ["--head", branch, "--state", "open", "--json", "number", "--jq", ".[].number"];
  const [number = ""] = output("gh", ["pr", "list", ...query]).split("\n");
  return number === "" ? undefined : number;
}

/** Returns whether a person works on the branch. A push of this script would discard that work. */
function isTakenOver() {
  run("git", ["fetch", "--quiet", "--depth=1", "origin", branch]);
  return output("git", ["log", "-1", "--format=%ae", "FETCH_HEAD"]) !== author;
}

function openPullRequest(open, isUnfinished) {
  const { package: name, version } = manifest();
  const title = `feat(schema): adopt ${name} ${version}`;
  run("git", ["checkout", "-B", branch]);
  run("git", ["add", "--all"]);
  const identity = ["-c", "user.name=schema-update", "-c", `user.email=${author}`];
  run("git", [...identity, "commit", "--quiet", "--message", title]);
  run("git", ["push", "--force", "origin", branch]);
  if (open !== undefined) {
    run("gh", ["pr", "edit", open, "--title", title, "--body-file", report]);
    // A pull request that was ready may now need work by a person.
    if (isUnfinished) run("gh", ["pr", "ready", open, "--undo"]);
  } else {
    const draft = isUnfinished ? ["--draft"] : [];
    run("gh", ["pr", "create", "--head", branch, "--title", title, "--body-file", report, ...draft]);
  }
}

/** Runs a command and shows its output. Returns its exit code. An exit code that is not in `allow` ends this script. */
function run(command, args, { allow = [0] } = {}) {
  const { status, error } = start(command, args, "inherit");
  if (status !== null && allow.includes(status)) return status;
  console.error(`\n${[command, ...args].join(" ")} failed (${error?.message ?? `exit ${status}`}).`);
  process.exit(status || 1);
}

/** Returns the output of a command, without the last newline. */
function output(command, args) {
  const { status, stdout, stderr, error } = start(command, args, "pipe");
  if (status === 0) return stdout.trimEnd();
  console.error(`${[command, ...args].join(" ")} failed (${error?.message ?? `exit ${status}`}). ${stderr ?? ""}`);
  process.exit(status || 1);
}

function start(command, args, stdio) {
  return spawnSync(command, args, { cwd: root, env: environment, encoding: "utf8", stdio: ["ignore", stdio, stdio] });
}
