import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { packages } from "@acp-kit/configs/packages";
import { describe, expect, it } from "vitest";
import { circlesOf } from "./circles.js";
import { packageBoundaries } from "./package-boundaries.js";
import { importsOf, type SourceFile, sourcesOf } from "./sources.js";

const isTest = ({ path }: SourceFile) => /\.(test|test-d|examples)\.tsx?$|^test\//.test(path);
const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
const isOurs = (specifier: string) => specifier.startsWith("@acp-kit/") || packageOf(specifier) === "acp-kit";

it("the table of package boundaries contains every published package", () => {
  expect(
    packages()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(packageBoundaries).sort());
});

it("the packages have no dependency cycle", () => {
  const reach = (name: string): string[] =>
    (packageBoundaries[name]?.imports ?? []).flatMap((next) => [next, ...reach(next)]);
  for (const name of Object.keys(packageBoundaries)) expect(reach(name)).not.toContain(name);
});

/**
 * The circles of imports, each of two classes or public types that mention each other. An interface between them would
 * only name the other one.
 */
const knownCircles: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // A turn is a session handle, and `work` of a session gives its handler a turn.
  "@acp-kit/agent": [["src/session-handle.ts", "src/turn.ts"]],
  // The agent creates its turns, which send through it.
  "@acp-kit/conformance": [["src/client/scripted-agent.ts", "src/client/turn.ts"]],
  // A command plays a scene, which lists the commands.
  "@acp-kit/everything-agent": [["src/command.ts", "src/scene.ts"]],
  // A session has its running work, which changes the session.
  "@acp-kit/testing": [["src/v2/played-work.ts", "src/v2/sessions.ts"]],
};

it("a circle of files is found", () => {
  const file = (path: string, ...imports: string[]): SourceFile => ({ path: `src/${path}.ts`, imports });
  const files = [file("a", "./b.js"), file("b", "./in/c.js"), file("in/c", "../a.js"), file("d", "./a.js")];
  expect(circlesOf(files)).toEqual([["src/a.ts", "src/b.ts", "src/in/c.ts"]]);
});

it("the tests find every kind of import", () => {
  const text = `import "a"; export * from "b"; import type { T } from "c"; const d = await import("d"); type E = import("e").E;`;
  expect(importsOf(text)).toEqual(["a", "b", "c", "d", "e"]);
});

describe.each(packages().filter(({ name }) => name in packageBoundaries))("$name", ({ name, directory, manifest }) => {
  const boundary = packageBoundaries[name] ?? { imports: [], entries: {}, unpackedKb: 0 };
  const sources = sourcesOf(directory).filter(({ path }) => path.startsWith("src/") || path.startsWith("test/"));
  const uses = (files: SourceFile[]) => files.flatMap(({ path, imports }) => imports.map((to) => ({ path, to })));

  it("imports only the packages that the table allows, tests included", () => {
    const allowed = [name, ...(boundary.imports ?? []), ...Object.keys(boundary.optional ?? {})];
    const inTests = [...allowed, ...(boundary.testImports ?? []), "@acp-kit/configs", "@acp-kit/servers"];
    const wrong = sources.flatMap((file) =>
      uses([file]).filter(({ to }) => isOurs(to) && !(isTest(file) ? inTests : allowed).includes(packageOf(to))),
    );
    expect(wrong).toEqual([]);
  });

  it("has only the circles of imports that are listed, type imports included", () => {
    const found = circlesOf(sources.filter((file) => !isTest(file)));
    expect(found).toEqual(knownCircles[name] ?? []);
  });

  it("depends on exactly the packages that it may import", () => {
    const ours = boundary.imports.map((to) => [to, "workspace:^"] as const);
    const theirs = (boundary.thirdParty ?? []).map((to) => [to, "catalog:"] as const);
    expect(manifest.dependencies ?? {}).toEqual(Object.fromEntries([...ours, ...theirs]));
    const peers = [...(boundary.peers ?? []), ...(boundary.passedPeers ?? []), ...Object.keys(boundary.optional ?? {})];
    expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual(peers.sort());
  });

  it("mentions an optional package only in the entries that need it", () => {
    for (const [optional, entries] of Object.entries(boundary.optional ?? {})) {
      const users = sources.filter((file) => !isTest(file) && file.imports.some((to) => packageOf(to) === optional));
      const places = entries.map((entry) => `src/${entry.slice(2)}`);
      const isIn = (path: string, place: string): boolean => path === `${place}.ts` || path.startsWith(`${place}/`);
      expect(users.filter(({ path }) => !places.some((place) => isIn(path, place)))).toEqual([]);
      for (const place of places) expect(users.some(({ path }) => isIn(path, place))).toBe(true);
      // The manifest marks the package as optional. A test that installs only this package shows that it can be absent.
      expect(manifest.peerDependenciesMeta).toHaveProperty([optional], { optional: true });
    }
  });

  it("bundles only the listed packages into its page, which users don't install", () => {
    const page = sourcesOf(directory).filter(({ path }) => path.startsWith("page/"));
    const bundled = uses(page).filter(({ to }) => !to.startsWith("."));
    const allowed = boundary.page ?? [];
    expect(bundled.filter(({ to }) => !allowed.includes(packageOf(to)) || isBuiltin(to))).toEqual([]);
    for (const bundledName of allowed)
      expect({ ...manifest.dependencies, ...manifest.devDependencies }).toHaveProperty([bundledName]);
  });

  it("uses Node only in the entry ./node", () => {
    const neutral = sources.filter((file) => !isTest(file) && !file.path.startsWith("src/node/"));
    const wrong = uses(neutral).filter(({ path, to }) => {
      const target = to.startsWith(".") ? posix.join(posix.dirname(path), to) : to;
      return isBuiltin(to) || target.startsWith("src/node/") || /^@acp-kit\/[^/]+\/node(\/|$)/.test(to);
    });
    expect(wrong).toEqual([]);
  });

  it("imports only its own files, our packages and, in tests, the packages of its manifest", () => {
    const inTests = Object.keys(manifest.devDependencies ?? {});
    const inCode = [...(boundary.thirdParty ?? []), ...(boundary.peers ?? [])];
    const wrong = sources.flatMap((file) =>
      uses([file]).filter(({ path, to }) => {
        if (to.startsWith(".")) return posix.join(posix.dirname(path), to).startsWith("..");
        if (isOurs(to) || isBuiltin(to)) return false;
        const listed = isTest(file) ? [...inCode, ...inTests] : inCode;
        return !listed.some((dependency) => to === dependency || to.startsWith(`${dependency}/`));
      }),
    );
    expect(wrong).toEqual([]);
  });
});
