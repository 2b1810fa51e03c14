import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, inject, it } from "vitest";

const { npm: home } = inject("homes");

/** The field `files` of the packages with files that are not built. */
const filesOf: Readonly<Record<string, readonly string[]>> = {
  "acp-kit": ["dist", "bin", "serve-config.schema.json"],
  "create-acp-agent": ["dist", "bin", "template"],
  "create-acp-client": ["bin", "template"],
  "@acp-kit/react": ["dist", "theme.css"],
};

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
    const expected = /^(package\.json|README\.md|LICENSE|dist\/.+\.(js|js\.map|d\.ts|json)|dist\/page\/page\.css)$/;
    // Programs that are not built are committed, so that they can be linked before the build.
    const programs = Object.values<string>(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, ""));
    const isTemplate = (path: string) => name.startsWith("create-") && path.startsWith("template/");
    const data = (boundary.files ?? []).map((path) => path.replace(/^\.\//, ""));
    const isProgram = (path: string) => programs.includes(path) || (path === "bin/start.js" && programs.length > 0);
    const isExpected = (path: string) => expected.test(path) || isProgram(path) || data.includes(path);
    const built = files.filter((path) => !isTemplate(path));
    expect(built.filter((path) => !isExpected(path) || /\.(test|test-d|examples)\./.test(path))).toEqual([]);
  });

  it("has the folder dist as its only files, apart from programs, templates and data that are not built", () => {
    expect(manifest.files).toEqual(filesOf[name] ?? ["dist"]);
  });

  it("has a declaration for each source, and none without a source", () => {
    const isForTests = (path: string) => /\.(d|test|test-d|examples)\.tsx?$/.test(path);
    const isShipped = (path: string) => /\.tsx?$/.test(path) && !isForTests(path);
    const sources = filesBelow(project.directory).filter((path) => path.startsWith("src/") && isShipped(path));
    const declarations = files.filter((path) => path.endsWith(".d.ts"));
    expect(declarations).toEqual(sources.map((path) => path.replace(/^src(.*)\.tsx?$/, "dist$1.d.ts")).sort());
  });

  it("has the line that starts Node in each of its programs", () => {
    for (const path of Object.values<string>(manifest.bin ?? {})) {
      expect(read(name, path)).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  it("contains the licence", () => {
    expect(read(name, "LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  });

  it("links the Agent Client Protocol in its README", () => {
    expect(files).toContain("README.md");
    const text = read(name, "README.md").replaceAll(/\s+/g, " ");
    expect(text).toMatch(/^# /);
    expect(text).toContain(name);
    expect(text).toContain("agentclientprotocol.com");
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
