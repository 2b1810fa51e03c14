import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { packages, projects, root } from "@acp-kit/configs/packages";
import { afterAll, beforeAll, expect, it } from "vitest";
import { node, npm, succeed } from "./commands.js";
import { copyOfTree, linkTools } from "./copy-of-tree.js";
import { fakeGitHub, type GitHub } from "./fake-git-hub.js";
import { type Registry, startRegistry } from "./registry.js";

// Runs from the changesets in the tree to a second release that users upgrade to, with a registry and a Git remote on
// this machine.
let copy: string;
let remote: string;
let gitHub: GitHub;
let home: string;
let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
  gitHub = fakeGitHub();
  copy = copyOfTree();
  linkTools(copy);
  remote = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-remote-")));
  await succeed(["git", "init", "--quiet", "--bare"], remote);
  await succeed(["git", "init", "--quiet", "--initial-branch=main"], copy);
  await succeed(["git", "remote", "add", "origin", remote], copy);
  await commit();
  home = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-user-")));
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  gitHub?.[Symbol.dispose]();
  for (const folder of [copy, remote, home]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const version = () => succeed(node(join(root, "node_modules", "@changesets", "cli", "bin.js"), "version"), copy);
/** Does what `npm run release` does after its build. */
const publish = () => {
  // As in a workflow, git knows no author.
  const nobody = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull, EMAIL: "" };
  const environment = { ...registry.environment, npm_config_registry: registry.url, ...gitHub.environment, ...nobody };
  return succeed(node(join(copy, "scripts", "release.mjs")), copy, environment);
};
async function commit(): Promise<void> {
  const author = ["-c", "user.name=A person", "-c", "user.email=person@example.com"];
  await succeed(["git", "add", "--all"], copy);
  await succeed(["git", ...author, "commit", "--quiet", "--message", "chore: version packages"], copy);
}
/** The packages that are published: those that `program` needs, and one that depends on the agent. */
const published = packages().filter(({ name }) =>
  ["types", "jsonrpc", "protocol", "agent", "client", "sessions"].includes(name.replace("@acp-kit/", "")),
);
/**
 * Removes all other projects, and what the manifests say of them: npm takes seconds for each package, and other tests
 * install all of them.
 */
function keepOnlyPublished(): void {
  const names = published.map(({ name }) => name);
  const stays = ["acp-kit-workspace", "@acp-kit/configs"]; // release.mjs reads them
  for (const { name, directory } of projects().filter(({ name }) => !stays.includes(name))) {
    const folder = join(copy, relative(root, directory));
    if (!names.includes(name)) {
      rmSync(folder, { recursive: true });
      continue;
    }
    const text = JSON.stringify(manifestOf(folder), (key, value) => {
      if (key === "devDependencies") return undefined;
      if (!/dependencies/i.test(key)) return value;
      const kept = Object.entries(value).filter(([to]) => !to.startsWith("@acp-kit/") || names.includes(to));
      return Object.fromEntries(kept);
    });
    writeFileSync(join(folder, "package.json"), text);
  }
}
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const installed = (name: string): string => manifestOf(join(home, "node_modules", name)).version;
const latest = () => Promise.all(published.map(async ({ name }) => [name, await registry.latest(name)] as const));

/** The packages that a user who writes an agent installs. */
const program = `
  import { createAgent } from "@acp-kit/agent";
  import { connectAgent, linkedTransports } from "@acp-kit/client";
  const agent = createAgent({
    info: { name: "user", version: "1.0.0" },
    newSession: () => ({ sessionId: "s" }),
    prompt: async (turn) => { await turn.message(turn.text); },
  });
  const [ours, theirs] = linkedTransports();
  agent.connect(theirs);
  const client = await connectAgent(ours);
  const session = await client.newSession({ cwd: process.cwd() });
  const { stopReason } = await session.prompt("hello").result;
  await client.close();
  console.log(stopReason);
`;

async function install(...specifiers: string[]): Promise<void> {
  const options = ["--no-audit", "--no-fund", "--ignore-scripts"];
  await succeed(npm("install", ...options, ...specifiers), home, registry.environment);
}

it("gives every package its first version, with a changelog that introduces it", async () => {
  await version();
  for (const { directory } of packages()) {
    const folder = join(copy, relative(root, directory));
    expect(manifestOf(folder).version).toBe("0.1.0");
    const log = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
    expect(log).toMatch(/^# [\w@/-]+\n\n## 0\.1\.0\n\n### Minor Changes\n\n- (?:\w+: )?First release: .{20}/);
    expect(log.match(/^- .*First release/gm)).toHaveLength(1);
  }
});

it("publishes every package for the first time", async () => {
  keepOnlyPublished();
  await commit();
  await publish();
  expect(await latest()).toEqual(published.map(({ name }) => [name, "0.1.0"]));
});

it("pushes a tag for each version", async () => {
  const { stdout } = await succeed(["git", "ls-remote", "--tags", "--refs", "origin"], copy);
  const tags = [...stdout.matchAll(/refs\/tags\/(.+)/g)].map(([, tag]) => tag).sort();
  expect(tags).toEqual(published.map(({ name }) => `${name}@0.1.0`).sort());
});

it("creates a release for each version, with its part of the changelog", () => {
  const releases = gitHub.releases();
  expect(releases.map(({ tag }) => tag).sort()).toEqual(published.map(({ name }) => `${name}@0.1.0`).sort());
  for (const { notes } of releases) {
    expect(notes).toMatch(/^## 0\.1\.0\n\n### Minor Changes\n/);
    expect(notes).toContain("First release: ");
  }
});

it("publishes nothing twice", async () => {
  const { stdout } = await publish();
  expect(stdout).toContain("The registry has every version already.");
});

it("can be installed by a version range, and works", async () => {
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(home, ".npmrc"), `@acp-kit:registry=${registry.url}\n`);
  await install("@acp-kit/agent@^0.1.0", "@acp-kit/client@^0.1.0");
  const { stdout } = await succeed(node("--input-type=module", "--eval", program), home);
  expect(stdout).toBe("end_turn\n");
});

it("publishes a second release with one breaking package: only the changed package and its dependents", async () => {
  const before = new Map(await latest());
  const text = "Rename an export.\n\nUse the new name.";
  writeFileSync(join(copy, ".changeset", "rename.md"), `---\n"@acp-kit/agent": minor\n---\n\n${text}\n`);
  await version();
  await commit();
  await publish();
  const changed = (await latest()).filter(([name, newest]) => before.get(name) !== newest);
  // The dependent gets a patch, because its range did not allow the new version.
  expect(changed).toEqual(
    expect.arrayContaining([
      ["@acp-kit/agent", "0.2.0"],
      ["@acp-kit/sessions", "0.1.1"],
    ]),
  );
  expect(changed).toHaveLength(2);
});

it("does not upgrade a project to the breaking version until the project's range allows this version", async () => {
  await succeed(npm("update", "--no-audit", "--no-fund", "--ignore-scripts"), home, registry.environment);
  expect(installed("@acp-kit/agent")).toBe("0.1.0");
  await install("@acp-kit/agent@^0.2.0");
  expect(installed("@acp-kit/agent")).toBe("0.2.0");
  const { stdout } = await succeed(node("--input-type=module", "--eval", program), home);
  expect(stdout).toBe("end_turn\n");
});

it("has one copy of each package in a project after the upgrade", () => {
  const scope = join(home, "node_modules", "@acp-kit");
  const nested = readdirSync(scope).filter((name) => {
    try {
      return readdirSync(join(scope, name, "node_modules", "@acp-kit")).length > 0;
    } catch {
      return false;
    }
  });
  expect(nested).toEqual([]);
});
