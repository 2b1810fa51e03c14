// Publishes the package versions that the registry doesn't have: `npm run release`, after a build. Each published
// version gets a tag, which is pushed, and a release on GitHub with its section of the changelog, if the program `gh`
// is installed. This also applies to versions that an earlier run has published without pushing their tags. When a
// command fails, the script continues with the other versions, and exits with 1.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

/**
 * Whether git has an author for the tags. In a workflow it has none. Without an author, git creates no tags, and
 * changesets does not report this.
 */
const isAuthorKnown = spawnSync("git", ["var", "GIT_COMMITTER_IDENT"], { cwd: root, stdio: "ignore" }).status === 0;
const gitAuthor = isAuthorKnown
  ? {}
  : {
      GIT_COMMITTER_NAME: "github-actions[bot]",
      GIT_COMMITTER_EMAIL: "41898282+github-actions[bot]@users.noreply.github.com",
    };

const pushed = pushedTags();
const isComplete = run("changeset", "publish");
const tagged = localTags(); // changesets creates a tag for each version that it publishes
const untagged = packages()
  .map(({ name, manifest }) => `${name}@${manifest.version}`)
  .filter((tag) => !pushed.has(tag) && (tagged.has(tag) || isPublished(tag)));
const published = untagged.filter((tag) => tagged.has(tag) || run("git", "tag", tag, commitOf(tag), "-m", tag));
if (published.length > 0) {
  if (run("git", "push", "origin", ...published.map((tag) => `refs/tags/${tag}`))) createReleases(published);
} else if (isComplete) {
  console.log("The registry has every version already.");
}

/**
 * Returns the tags of the remote. Throws if the remote can't be reached, because the tags of published versions could
 * not be pushed either.
 */
function pushedTags() {
  const { status, stdout } = capture("git", "ls-remote", "--tags", "--refs", "origin");
  if (status !== 0) throw new Error("git can't list the tags of the remote, so nothing was published.");
  return new Set(stdout.split("\n").map((line) => line.replace(/^.*\trefs\/tags\//, "")));
}

function localTags() {
  return new Set(capture("git", "tag").stdout.split("\n"));
}

/** Returns whether the registry has the version of a tag. */
function isPublished(tag) {
  return capture("npm", "view", tag, "version").stdout?.trim() === tag.slice(tag.lastIndexOf("@") + 1);
}

/**
 * Returns the commit that gave the package its current version. An earlier run has published that commit; `HEAD` may be
 * a later commit.
 */
function commitOf(tag) {
  const [name, version] = partsOf(tag);
  const file = join(directoryOf(name), "package.json");
  const line = `"version": *"${version.replaceAll(/[.+]/g, "\\$&")}"`;
  return capture("git", "log", "-1", "--format=%H", `-G${line}`, "--", file).stdout.trim() || "HEAD";
}

/** Creates a release on GitHub for each tag. */
function createReleases(names) {
  const options = { cwd: root, env: environment, stdio: "ignore" };
  if (spawnSync("gh", ["--version"], options).status !== 0) {
    console.log(`No release on GitHub for ${names.join(", ")}: the program gh is not installed.`);
    return;
  }
  for (const name of names)
    run("gh", "release", "create", name, "--verify-tag", "--title", name, "--notes", notesOf(name));
}

/** Returns the section of a package's changelog about the version that a tag names. */
function notesOf(tag) {
  const [name, version] = partsOf(tag);
  const sections = readFileSync(join(directoryOf(name), "CHANGELOG.md"), "utf8").split(/^(?=## )/m);
  return sections.find((section) => section.startsWith(`## ${version}\n`)) ?? "";
}

/** Returns the package and the version that a tag names. */
function partsOf(tag) {
  const at = tag.lastIndexOf("@");
  return [tag.slice(0, at), tag.slice(at + 1)];
}

function directoryOf(name) {
  const directory = packages().find((one) => one.name === name)?.directory;
  if (directory === undefined) throw new Error(`${name} is no package of this repository.`);
  return directory;
}

/** Runs a command to its end. Returns its exit status and its output. */
function capture(command, ...args) {
  return spawnSync(command, args, {
    cwd: root,
    env: environment,
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY, // every version of every package has a tag
    shell: process.platform === "win32",
  });
}

/**
 * Runs a command to its end, with its output on the terminal. Returns whether it succeeded; if not, this script exits
 * with 1.
 */
function run(command, ...args) {
  const options = { cwd: root, env: { ...environment, ...gitAuthor }, stdio: ["ignore", "inherit", "inherit"] };
  const { status, error } = spawnSync(command, args, { ...options, shell: process.platform === "win32" });
  if (status === 0) return true;
  console.error(`${command} ${args.slice(0, 3).join(" ")} failed: ${error?.message ?? `exit ${status}`}`);
  process.exitCode = 1;
  return false;
}
