import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { entries, packages, projects, root } from "@acp-kit/configs/packages";
import ts from "typescript-api";
import { describe, expect, it } from "vitest";
import { filesBelow } from "./sources.js";

const posixPath = (from: string, to: string) => relative(from, to).split(sep).join("/");

/** Returns the output of a tool of the workspace. */
function jsonFrom(tool: string, ...args: string[]): unknown {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 27 } as const;
  return JSON.parse(execFileSync(process.execPath, [join(root, "node_modules", tool), ...args], options));
}

/** Returns the projects that a solution file references, recursively, as absolute paths of tsconfig files. */
function solution(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const { config = {} } = ts.readConfigFile(path, ts.sys.readFile) as { config?: { references?: { path: string }[] } };
  for (const reference of config.references ?? []) {
    const target = resolve(dirname(path), reference.path);
    solution(target.endsWith(".json") ? target : join(target, "tsconfig.json"), seen);
  }
  return seen;
}

describe("the type check", () => {
  const checked = new Set(
    [...solution(join(root, "tsconfig.json"))].flatMap((path) => {
      const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
      return (ts.getParsedCommandLineOfConfigFile(path, {}, host)?.fileNames ?? []).map((file) => resolve(file));
    }),
  );

  it.each(projects().filter(({ directory }) => directory !== root))("sees every source of $name", ({ directory }) => {
    const sources = filesBelow(directory).filter((path) => /^(src|test|page)\/.*(?<!\.d)\.tsx?$/.test(path));
    const unseen = sources.filter((path) => !checked.has(join(directory, path)) && !isFixture(path));
    expect(unseen).toEqual([]);
  });

  // Inputs and expected outputs of tests are data.
  const isFixture = (path: string) => /(^|\/)(cases|fixtures)\//.test(path);
});

describe("the test runner", () => {
  it("finds every test file of the tree", () => {
    const vitest = (...args: string[]) => {
      const found = jsonFrom("vitest/vitest.mjs", "list", "--filesOnly", "--json", ...args) as { file: string }[];
      return found.map(({ file }) => posixPath(root, file));
    };
    const found = [...vitest(), ...vitest("--root", "tests/packaging")];
    // The tests of a starter's template run in the projects made from it: tests/packaging/src/starters.test.ts.
    const all = filesBelow(root).filter((path) => /\.test\.[cm]?[jt]sx?$/.test(path) && !path.includes("/template/"));
    expect(all.filter((path) => !found.includes(path))).toEqual([]);
  });
});

describe("a test file that shares its process with others", () => {
  const shared = jsonFrom("vitest/vitest.mjs", "list", "--filesOnly", "--json", "--project", "shared");
  const files = (shared as { file: string }[]).map(({ file }) => posixPath(root, file));
  const importsOf = (path: string) =>
    [...readFileSync(path, "utf8").matchAll(/^(?:import|export) .*?from "(\.[^"]+)";$/gms)]
      .map(([, to = ""]) => join(dirname(path), to).replace(/\.js$/, ".ts"))
      .filter(existsSync);

  it("mocks no module, because other files share the loaded modules", () => {
    expect(files.filter((path) => /\bvi\.(?:do)?mock\(/i.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });

  it("imports no module that registers hooks, because they would apply to one file only", () => {
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const imported of importsOf(path)) visit(imported);
    };
    for (const path of files) visit(join(root, path));
    const helpers = [...seen].filter((path) => !path.endsWith(".test.ts"));
    const hooked = helpers.filter((path) => /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(path, "utf8")));
    expect(hooked.map((path) => posixPath(root, path))).toEqual([]);
  });
});

describe("the build", () => {
  const plan = jsonFrom("turbo/bin/turbo", "run", "build", "--dry=json") as {
    globalCacheInputs: { files: Record<string, string> };
    tasks: { package: string; inputs: Record<string, string>; dependencies: string[] }[];
  };

  it("runs again when a shared setting, a dependency or the schema changes", () => {
    const shared = [
      "package.json",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      ...filesBelow(join(root, "schema")).map((path) => `schema/${path}`),
      ...filesBelow(join(root, "tools", "configs")).map((path) => `tools/configs/${path}`),
    ];
    expect(Object.keys(plan.globalCacheInputs.files)).toEqual(expect.arrayContaining(shared));
  });

  it.each(packages())("of $name runs again when any of its files changes, or a package below it", (project) => {
    const task = plan.tasks.find((candidate) => candidate.package === project.name);
    // Generated sources that are not committed depend on the task that generates them.
    const isIgnored = (path: string) => /^src\/gen\/(v1-unstable|v2|v2-unstable)\/|\/validat\w+\.gen\./.test(path);
    const isInput = (path: string) =>
      !/\.(test|test-d|examples)\.ts$|^[^/]+\.md$|\.tsbuildinfo$/.test(path) && !isIgnored(path);
    expect(Object.keys(task?.inputs ?? {})).toEqual(
      expect.arrayContaining(filesBelow(project.directory).filter(isInput)),
    );
    const below = Object.keys(project.manifest.dependencies ?? {}).filter((name) => name.startsWith("@acp-kit/"));
    const needed = ["//#sources", ...below.map((name) => `${name}#build`)];
    expect(task?.dependencies).toEqual(expect.arrayContaining(needed));
  });

  it.each(packages().filter(({ directory }) => entries(directory).length > 0))(
    "of $name is its own script",
    ({ manifest, directory }) => {
      const parts = ["tsconfig.lib.json", "tsconfig.node.json"].filter((name) => existsSync(join(directory, name)));
      const page = existsSync(join(directory, "vite.config.ts")) ? " && vite build" : "";
      expect(manifest.scripts?.build).toBe(`tsup && tsc -b ${parts.join(" ")}${page}`);
      // A package has a neutral part if it has sources outside of src/node.
      const sources = filesBelow(directory).filter((path) =>
        /^src\/(?!node\/).+(?<!\.test|\.test-d|\.examples)\.tsx?$/.test(path),
      );
      expect(parts.includes("tsconfig.lib.json")).toBe(sources.length > 0);
      expect(parts.includes("tsconfig.node.json")).toBe(existsSync(join(directory, "src", "node")));
    },
  );
});

it("runs every example", () => {
  const examples = projects().filter(({ directory }) => posixPath(root, directory).startsWith("examples/"));
  expect(examples.filter(({ manifest }) => !manifest.scripts?.demo).map(({ name }) => name)).toEqual([]);
});

it("uses only one version of pnpm", () => {
  const { packageManager, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(packageManager).toBe(`pnpm@${devDependencies.pnpm}`);
});

// Some versions of Node follow links there, even in a cycle.
it("no code lists a folder with the option `recursive` of readdir", () => {
  const listing = /readdir(?:Sync)?\([^;]{0,200}recursive:/;
  const files = filesBelow(root).filter((path) => /\.m?ts$|\.m?js$/.test(path) && !path.endsWith("coverage.test.ts"));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => listing.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});
