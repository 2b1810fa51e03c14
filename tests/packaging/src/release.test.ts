import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import { house } from "@acp-kit/workspace-tests/house";
import { afterAll, beforeAll, expect, it } from "vitest";
import { node, pnpm, run, succeed } from "./commands.js";
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

it("versions the packages from the changesets that wait", async () => {
  const waiting = pending().length;
  const before = versions();
  await changeset();
  expect(pending()).toEqual([]);
  expect(Object.entries(versions()).some(([name, version]) => before[name] !== version)).toBe(waiting > 0);
});

it("versions each package for itself: a breaking change below is a patch above, and nothing elsewhere", async () => {
  const before = versions();
  const text = "Rename an export.\n\nUse the new name.";
  writeFileSync(join(copy, ".changeset", "rename.md"), `---\n"@acp-kit/jsonrpc": minor\n---\n\n${text}\n`);
  await changeset();
  const expected = Object.entries(before).map(([name, version]) => {
    if (name === "@acp-kit/jsonrpc") return [name, bump(version, "minor")];
    return [name, house[name]?.imports.includes("@acp-kit/jsonrpc") ? bump(version, "patch") : version];
  });
  expect(versions()).toEqual(Object.fromEntries(expected));
  const log = readFileSync(join(copy, "packages", "jsonrpc", "CHANGELOG.md"), "utf8");
  expect(log).toContain(
    `## ${bump(before["@acp-kit/jsonrpc"] ?? "", "minor")}\n\n### Minor Changes\n\n- Rename an export.`,
  );
});

it("leaves those alone that can do without the package that changed", async () => {
  const before = versions();
  writeFileSync(join(copy, ".changeset", "wider.md"), `---\n"@acp-kit/schema": minor\n---\n\nAdd a member.\n`);
  await changeset();
  // By its own rules, changesets makes a minor release of an optional peer a major release of its possible users.
  const expected = Object.entries(before).map(([name, version]) => {
    if (name === "@acp-kit/schema") return [name, bump(version, "minor")];
    return [name, house[name]?.imports.includes("@acp-kit/schema") ? bump(version, "patch") : version];
  });
  expect(versions()).toEqual(Object.fromEntries(expected));
});

it("publishes every package, each after those that it needs", async () => {
  const asked: string[] = [];
  // A registry that knows no package yet; a dry run must only read from it.
  const registry = createServer(({ method = "" }, response) => {
    asked.push(method);
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const options = ["--dry-run", "--no-git-checks", "--report-summary", "--registry", url];
    const { status, stdout, stderr } = await run(pnpm("publish", "-r", ...options), copy);
    expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" });
  } finally {
    registry.close();
  }
  const { publishedPackages: published } = JSON.parse(readFileSync(join(copy, "pnpm-publish-summary.json"), "utf8"));
  const order: string[] = published.map(({ name }: { name: string }) => name);
  expect(Object.fromEntries(published.map(Object.values))).toEqual(versions());
  for (const [index, name] of order.entries()) {
    expect(order.slice(0, index)).toEqual(expect.arrayContaining([...(house[name]?.imports ?? [])]));
  }
  expect([...new Set(asked)]).toEqual(["GET"]);
});

function bump(version: string, kind: "minor" | "patch"): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return kind === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
