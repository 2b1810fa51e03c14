import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { createScratch, type Scratch } from "./scratch.js";

beforeEach(({ skip }) => skip(process.platform === "win32", "the pretended tools are shell scripts"));

/**
 * Creates a repository with a remote, and an update command that writes a new manifest and a report and then exits with
 * `status`.
 */
function repository({ status = 0, changes = true, openPullRequest = "", source = "npm:sdk@1.0.0" } = {}): Scratch {
  const scratch = createScratch();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: scratch.directory, stdio: "pipe" });
  scratch.write("package.json", "{}");
  scratch.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
  scratch.write(".gitignore", "node_modules/\nremote/\n*.log\n");
  scratch.write("schema/manifest.json", JSON.stringify({ source, package: "sdk", version: "1.0.0" }));
  git("init", "--quiet", "--initial-branch=main");
  git("init", "--quiet", "--bare", "remote");
  git("remote", "add", "origin", "remote");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "first");
  const write = `echo '{"package":"sdk","version":"1.1.0"}' > schema/manifest.json; echo "# Report" > schema/REPORT.md;`;
  scratch.pretend("pnpm", `echo "$3" >> pnpm.log; ${changes ? write : ""} exit ${status}`);
  scratch.pretend("gh", `echo "$@" >> gh.log; [ "$2" = list ] && printf '%s' "${openPullRequest}"; exit 0`);
  return scratch;
}

const calls = (scratch: Scratch, tool = "gh") => {
  const log = join(scratch.directory, `${tool}.log`);
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
};
const pushed = (scratch: Scratch) =>
  execFileSync("git", ["log", "--format=%s", "schema-update"], {
    cwd: join(scratch.directory, "remote"),
    encoding: "utf8",
  });

const bot = "schema-update@users.noreply.github.com";

/** Pushes the branch to the remote, with one more commit. */
function branchBy(scratch: Scratch, email: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: scratch.directory, stdio: "pipe" });
  const as = ["-c", "user.name=a", "-c", `user.email=${email}`];
  git("checkout", "--quiet", "-b", "schema-update");
  git(...as, "commit", "--quiet", "--allow-empty", "--message", "second");
  git("push", "--quiet", "origin", "schema-update");
  git("checkout", "--quiet", "main");
  git("branch", "--quiet", "-D", "schema-update");
}

it("pushes a branch and opens a pull request with the report", () => {
  using scratch = repository();
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(pushed(scratch)).toBe("feat(schema): adopt sdk 1.1.0\nfirst\n");
  expect(calls(scratch).at(-1)).toBe(
    "pr create --head schema-update --title feat(schema): adopt sdk 1.1.0 --body-file schema/REPORT.md",
  );
});

it("opens a draft with the report if a person must decide something or complete the adoption", () => {
  using scratch = repository({ status: 1 });
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(calls(scratch).at(-1)).toMatch(/--body-file schema\/REPORT\.md --draft$/);
});

it("turns the open pull request into a draft if a person must decide something", () => {
  using scratch = repository({ status: 1, openPullRequest: "12" });
  branchBy(scratch, bot);
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(calls(scratch).slice(-2)).toEqual([
    expect.stringMatching(/^pr edit 12 --title .* --body-file schema\/REPORT\.md$/),
    "pr ready 12 --undo",
  ]);
});

it.each([
  ["that the script has pushed", "12", bot],
  ["of a person whose pull request is closed", "", "person@example.com"],
])("replaces a branch %s", (_, openPullRequest, email) => {
  using scratch = repository({ openPullRequest });
  branchBy(scratch, email);
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(pushed(scratch)).toBe("feat(schema): adopt sdk 1.1.0\nfirst\n");
});

it("does not change a branch with commits of a person", () => {
  using scratch = repository({ status: 1, openPullRequest: "12" });
  branchBy(scratch, "person@example.com");
  const { status, output } = scratch.run("scripts/schema-pull-request.mjs");
  expect([status, calls(scratch)]).toEqual([0, [expect.stringMatching(/^pr list /)]]);
  expect(output).toContain("The last commit of schema-update was made by a person");
  expect(pushed(scratch)).toBe("second\nfirst\n");
});

it("updates the open pull request", () => {
  using scratch = repository({ openPullRequest: "12" });
  branchBy(scratch, bot);
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(calls(scratch).at(-1)).toMatch(/^pr edit 12 --title/);
});

it("does nothing when the schema is current", () => {
  using scratch = repository({ changes: false });
  const { status, output } = scratch.run("scripts/schema-pull-request.mjs");
  expect([status, calls(scratch)]).toEqual([0, []]);
  expect(output).toContain("The schema is current");
});

it("fails, and pushes nothing, when the update fails", () => {
  using scratch = repository({ status: 2, changes: false });
  const { status, errors } = scratch.run("scripts/schema-pull-request.mjs");
  expect([status, calls(scratch)]).toEqual([2, []]);
  expect(errors).toContain("schema:update specification --keep --report schema/REPORT.md failed (exit 2)");
});

it.each([
  ["a release of the specification, if there is one", { changes: true }, ["specification"]],
  ["the npm package, if the specification has nothing new", { changes: false }, ["specification", "latest"]],
  [
    "the specification alone, once the schema comes from there",
    { changes: false, source: "github:a/b@c" },
    ["specification"],
  ],
])("adopts %s", (_, options, sources) => {
  using scratch = repository(options);
  expect(scratch.run("scripts/schema-pull-request.mjs").status).toBe(0);
  expect(calls(scratch, "pnpm")).toEqual(sources);
});
