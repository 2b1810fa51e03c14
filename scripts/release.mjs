// Publishes what the registry doesn't have, after a build: `npm run release`. Each published version gets a tag, which is pushed, and a
// release on GitHub with its part of the changelog, where the program `gh` is installed and may write.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

const before = tags();
run("changeset", "publish");
const published = tags().filter((tag) => !before.includes(tag));
if (published.length === 0) {
  console.log("The registry has every version already.");
} else {
  run("git", "push", "origin", ...published.map((tag) => `refs/tags/${tag}`));
  announce(published);
}

/** The tags of this commit, one for each version that was published from it: `@acp-kit/client@0.1.0`. */
function tags() {
  const { stdout } = run("git", "tag", "--points-at", "HEAD");
  return stdout.split("\n").filter((tag) => tag !== "");
}

/** Creates the releases on GitHub. */
function announce(names) {
  const options = { cwd: root, env: environment, stdio: "ignore" };
  if (spawnSync("gh", ["--version"], options).status !== 0) {
    console.log(`No release on GitHub for ${names.join(", ")}: the program gh is not installed.`);
    return;
  }
  for (const name of names)
    run("gh", "release", "create", name, "--verify-tag", "--title", name, "--notes", notesOf(name));
}

/** The part of a package's changelog that is about one version. */
function notesOf(tag) {
  const at = tag.lastIndexOf("@");
  const [name, version] = [tag.slice(0, at), tag.slice(at + 1)];
  const directory = packages().find((one) => one.name === name)?.directory;
  if (directory === undefined) throw new Error(`The tag ${tag} names no package of this repository.`);
  const parts = readFileSync(join(directory, "CHANGELOG.md"), "utf8").split(/^(?=## )/m);
  return parts.find((part) => part.startsWith(`## ${version}\n`)) ?? "";
}

/** Runs a command to its end, shows what it writes, and ends this script if it fails. */
function run(command, ...args) {
  const options = { cwd: root, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  const result = spawnSync(command, args, { ...options, shell: process.platform === "win32" });
  process.stdout.write(result.stdout ?? "");
  if (result.status === 0) return result;
  console.error(`${command} ${args.slice(0, 3).join(" ")} failed: ${result.error?.message ?? `exit ${result.status}`}`);
  process.exit(1);
}
