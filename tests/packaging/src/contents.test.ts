import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf, reachableDeclarations } from "@acp-kit/configs/declarations";
import { entries, packages, root } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, inject, it } from "vitest";

const { npm: home } = inject("homes");

function projectOf(name: string): ReturnType<typeof packages>[number] {
  const found = packages().find((project) => project.name === name);
  if (found === undefined) throw new Error(`${name} is no package of this workspace`);
  return found;
}

const directoryOf = (name: string) => join(home, "node_modules", name);
const read = (name: string, path: string) => readFileSync(join(directoryOf(name), path), "utf8");

describe.each(Object.entries(packageBoundaries))("%s, packed", (name, boundary) => {
  const files = filesBelow(directoryOf(name), []);
  const manifest = JSON.parse(read(name, "package.json"));
  const project = projectOf(name);

  it("contains only built files and documents", () => {
    const expected =
      /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+\.(js|js\.map|d\.ts|json)|dist\/page\/page\.css)$/;
    // Programs that are not built are committed, so that they can be linked before the build.
    const programs = Object.values<string>(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, ""));
    const isTemplate = (path: string) => name.startsWith("create-") && path.startsWith("template/");
    const data = (boundary.files ?? []).map((path) => path.replace(/^\.\//, ""));
    const isProgram = (path: string) => programs.includes(path) || (path === "bin/start.js" && programs.length > 0);
    const isExpected = (path: string) => expected.test(path) || isProgram(path) || data.includes(path);
    const built = files.filter((path) => !isTemplate(path));
    expect(built.filter((path) => !isExpected(path) || /\.(test|test-d|examples)\./.test(path))).toEqual([]);
  });

  it("has the declarations that its entries reach, and only these if `files` excludes some (`pnpm declarations` writes `files`)", () => {
    const outputs = entries(directoryOf(name)).map(({ output }) => output);
    const declarations = files.filter((path) => path.endsWith(".d.ts"));
    const reached = reachableDeclarations(directoryOf(name), outputs);
    expect(reached.filter((path) => !declarations.includes(path))).toEqual([]);
    expect(project.manifest.files).toEqual(filesOf(project));
    if (project.manifest.files?.some((pattern) => pattern.endsWith(".d.ts"))) expect(declarations).toEqual(reached);
  });

  it("has a declaration for each source, unless `files` excludes it, and none without a source", () => {
    const { directory, manifest } = project;
    const isLeftOut = (path: string) => manifest.files?.includes(`!${path}`) === true;
    const isForTests = (path: string) => /\.(d|test|test-d|examples)\.tsx?$|\/wrong-agents\.ts$/.test(path);
    const isShipped = (path: string) => /\.tsx?$/.test(path) && !isForTests(path);
    const sources = filesBelow(directory).filter((path) => path.startsWith("src/") && isShipped(path));
    const declarations = files.filter((path) => path.endsWith(".d.ts"));
    const built = sources.map((path) => path.replace(/^src(.*)\.tsx?$/, "dist$1.d.ts")).sort();
    expect(declarations).toEqual(built.filter((path) => !isLeftOut(path)));
  });

  it("has the line that starts Node in each of its programs", () => {
    for (const path of Object.values<string>(manifest.bin ?? {})) {
      expect(read(name, path)).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  it("contains the licence", () => {
    expect(read(name, "LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  });

  it("names the Agent Client Protocol in its README", () => {
    expect(files).toContain("README.md");
    const text = read(name, "README.md").replaceAll(/\s+/g, " ");
    expect(text).toMatch(/^# /);
    expect(text).toContain(name);
    expect(text).toContain("agentclientprotocol.com");
    expect(text).toContain("Agent Communication Protocol");
  });

  it("has a complete manifest", () => {
    expect(manifest).toMatchObject({
      name,
      description: expect.stringMatching(/.{20,}\.$/),
      license: "Apache-2.0",
      type: "module",
      sideEffects: boundary.sideEffects ?? false,
      engines: { node: ">=20.19.0" },
    });
    expect(manifest.keywords).toContain("agent-client-protocol");
    expect(JSON.stringify(manifest.dependencies ?? {})).not.toMatch(/workspace:|catalog:/);
  });
});
