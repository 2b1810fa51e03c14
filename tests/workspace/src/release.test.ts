import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { createScratch, type Scratch } from "./scratch.js";

// A whole release, against a registry and a Git remote, is a test of tests/packaging.

beforeEach(({ skip }) => skip(process.platform === "win32", "the pretended tools are shell scripts"));

/** A workspace with the packages `a` and `b`, and with a remote. */
function workspace(): Scratch {
  const scratch = createScratch();
  scratch.write("package.json", "{}");
  scratch.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
  for (const name of ["a", "b"]) {
    scratch.write(`packages/${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
    scratch.write(`packages/${name}/CHANGELOG.md`, `# ${name}\n\n## 1.0.0\n\nThe first release of ${name}.\n`);
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A person", "-c", "user.email=person@example.com", ...args], {
      cwd: scratch.directory,
      encoding: "utf8",
    });
  git("init", "--quiet", "--bare", "remote");
  git("init", "--quiet", ".");
  git("remote", "add", "origin", join(scratch.directory, "remote"));
  git("add", "packages");
  git("commit", "--quiet", "--message", "chore: version packages");
  scratch.pretend("npm", "exit 1"); // the registry has no version
  return scratch;
}

const remoteTags = ({ directory }: Scratch): string[] =>
  execFileSync("git", ["tag"], { cwd: join(directory, "remote"), encoding: "utf8" })
    .trim()
    .split("\n");

it("pushes the tags of the published packages, and creates their releases, when another package is not published", () => {
  using scratch = workspace();
  scratch.pretend("changeset", "git tag a@1.0.0 && echo 'could not publish b' && exit 1");
  scratch.pretend("gh", '[ "$1" = --version ] || echo "ran gh $1 $2 $3"');
  const { status, output } = scratch.run("scripts/release.mjs");
  expect({ status, tags: remoteTags(scratch) }).toEqual({ status: 1, tags: ["a@1.0.0"] });
  expect(output).toContain("could not publish b");
  expect(output).toContain("ran gh release create a@1.0.0");
});

it("creates the tags and releases that an earlier run did not create after it had published", () => {
  using scratch = workspace();
  scratch.pretend("changeset", "exit 0"); // the registry has both versions
  scratch.pretend("npm", '[ "$1 $2 $3" = "view a@1.0.0 version" ] && echo 1.0.0');
  scratch.pretend("gh", '[ "$1" = --version ] || echo "ran gh $1 $2 $3"');
  const { status, output } = scratch.run("scripts/release.mjs");
  expect({ status, tags: remoteTags(scratch) }).toEqual({ status: 0, tags: ["a@1.0.0"] });
  expect(output).toContain("ran gh release create a@1.0.0");
  expect(scratch.run("scripts/release.mjs").output).toBe("The registry has every version already.\n");
});

it("tags the commit with the version, when an earlier run published it and other commits followed", () => {
  using scratch = workspace();
  const commit = (): string =>
    execFileSync("git", ["rev-parse", "HEAD"], { cwd: scratch.directory, encoding: "utf8" }).trim();
  const versioned = commit();
  scratch.write("packages/a/index.js", "");
  const author = ["-c", "user.name=A person", "-c", "user.email=person@example.com"];
  execFileSync("git", ["add", "packages/a/index.js"], { cwd: scratch.directory });
  execFileSync("git", [...author, "commit", "--quiet", "-m", "feat: more"], { cwd: scratch.directory });
  scratch.pretend("changeset", "exit 0");
  scratch.pretend("npm", '[ "$1 $2 $3" = "view a@1.0.0 version" ] && echo 1.0.0');
  scratch.pretend("gh", "exit 1");
  expect(scratch.run("scripts/release.mjs").status).toBe(0);
  const tagged = execFileSync("git", ["rev-parse", "a@1.0.0^{}"], { cwd: join(scratch.directory, "remote") });
  expect(tagged.toString().trim()).toBe(versioned);
  expect(versioned).not.toBe(commit());
});

it("pushes the tags that an earlier run created but did not push", () => {
  using scratch = workspace();
  execFileSync("git", ["tag", "a@1.0.0"], { cwd: scratch.directory });
  scratch.pretend("changeset", "exit 0");
  scratch.pretend("gh", '[ "$1" = --version ] || echo "ran gh $1 $2 $3"');
  const { status, output } = scratch.run("scripts/release.mjs");
  expect({ status, tags: remoteTags(scratch) }).toEqual({ status: 0, tags: ["a@1.0.0"] });
  expect(output).toContain("ran gh release create a@1.0.0");
});

it("reads more than a megabyte of the remote's tags", () => {
  using scratch = workspace();
  execFileSync("git", ["push", "--quiet", "origin", "HEAD:refs/heads/main"], { cwd: scratch.directory });
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: scratch.directory, encoding: "utf8" }).trim();
  const earlier = Array.from({ length: 20_000 }, (_, index) => `${commit} refs/tags/b@0.0.${index}\n`);
  scratch.write("remote/packed-refs", earlier.join(""));
  scratch.pretend("changeset", "git tag a@1.0.0");
  scratch.pretend("gh", "exit 0");
  const { status, errors } = scratch.run("scripts/release.mjs");
  expect(status, errors).toBe(0);
  expect(remoteTags(scratch)).toContain("a@1.0.0");
});

it("publishes nothing when the tags of the remote can't be listed", () => {
  using scratch = workspace();
  execFileSync("git", ["remote", "remove", "origin"], { cwd: scratch.directory });
  scratch.pretend("changeset", "echo published");
  const { status, output, errors } = scratch.run("scripts/release.mjs");
  expect({ status, output }).toEqual({ status: 1, output: "" });
  expect(errors).toContain("can't list the tags of the remote");
});

it("creates the other releases when one can't be created, and fails", () => {
  using scratch = workspace();
  scratch.pretend("changeset", "git tag a@1.0.0 && git tag b@1.0.0");
  scratch.pretend("gh", '[ "$1" = --version ] || { echo "ran gh $1 $2 $3"; [ "$3" != a@1.0.0 ]; }');
  const { status, output, errors } = scratch.run("scripts/release.mjs");
  expect({ status, tags: remoteTags(scratch) }).toEqual({ status: 1, tags: ["a@1.0.0", "b@1.0.0"] });
  expect(output).toContain("ran gh release create b@1.0.0");
  expect(errors).toContain("gh release create a@1.0.0 failed: exit 1");
});

it("creates no release whose tag could not be pushed", () => {
  using scratch = workspace();
  scratch.pretend("changeset", "git tag a@1.0.0 && git remote remove origin");
  scratch.pretend("gh", '[ "$1" = --version ] || echo "ran gh"');
  const { status, output, errors } = scratch.run("scripts/release.mjs");
  expect(status).toBe(1);
  expect(output).not.toContain("ran gh");
  expect(errors).toContain("git push origin refs/tags/a@1.0.0 failed");
});
