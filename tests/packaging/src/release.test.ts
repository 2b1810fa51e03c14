import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { afterAll, beforeAll, expect, it } from "vitest";
import { node, succeed } from "./commands.js";
import { copyOfTree } from "./copy-of-tree.js";

let copy: string;
beforeAll(() => {
  copy = copyOfTree();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function versions(): Record<string, string> {
  const read = (directory: string) =>
    JSON.parse(readFileSync(join(copy, relative(root, directory), "package.json"), "utf8"));
  return Object.fromEntries(packages().map(({ name, directory }) => [name, read(directory).version]));
}

const changeset = () => succeed(node(join(root, "node_modules", "@changesets", "cli", "bin.js"), "version"), copy);
const pending = () =>
  readdirSync(join(copy, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");

it("versions the packages from the pending changesets", async () => {
  const waiting = pending().length;
  const before = versions();
  await changeset();
  expect(pending()).toEqual([]);
  expect(Object.entries(versions()).some(([name, version]) => before[name] !== version)).toBe(waiting > 0);
});

it("versions packages independently: a breaking change is a patch for dependents, and other packages keep their version", async () => {
  const before = versions();
  const text = "Rename an export.\n\nUse the new name.";
  writeFileSync(join(copy, ".changeset", "rename.md"), `---\n"@acp-kit/jsonrpc": minor\n---\n\n${text}\n`);
  await changeset();
  const expected = Object.entries(before).map(([name, version]) => {
    if (name === "@acp-kit/jsonrpc") return [name, bump(version, "minor")];
    return [name, packageBoundaries[name]?.imports.includes("@acp-kit/jsonrpc") ? bump(version, "patch") : version];
  });
  expect(versions()).toEqual(Object.fromEntries(expected));
  const log = readFileSync(join(copy, "packages", "jsonrpc", "CHANGELOG.md"), "utf8");
  expect(log).toContain(
    `## ${bump(before["@acp-kit/jsonrpc"] ?? "", "minor")}\n\n### Minor Changes\n\n- Rename an export.`,
  );
});

it("does not change packages with an optional dependency on the changed package", async () => {
  const before = versions();
  writeFileSync(join(copy, ".changeset", "wider.md"), `---\n"@acp-kit/schema": minor\n---\n\nAdd a member.\n`);
  await changeset();
  // By its own rules, changesets would release a new major of every package with the optional peer.
  const expected = Object.entries(before).map(([name, version]) => {
    if (name === "@acp-kit/schema") return [name, bump(version, "minor")];
    return [name, packageBoundaries[name]?.imports.includes("@acp-kit/schema") ? bump(version, "patch") : version];
  });
  expect(versions()).toEqual(Object.fromEntries(expected));
});

function bump(version: string, kind: "minor" | "patch"): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return kind === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
