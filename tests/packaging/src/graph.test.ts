import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { filesBelow, importsOf } from "@acp-kit/workspace-tests/sources";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

const { npm: home } = inject("homes");

const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
const unique = (values: Iterable<string>) => [...new Set(values)].sort();

/** Returns the files of a package that one entry loads, and the modules outside of the package. */
async function reach(directory: string, entry: string) {
  const { metafile } = await build({
    entryPoints: [join(directory, entry)],
    absWorkingDir: directory,
    bundle: true,
    packages: "external",
    platform: "neutral",
    external: ["node:*"],
    format: "esm",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const outside = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  return { files: Object.keys(metafile.inputs), outside: unique(outside.map(({ path }) => path)) };
}

describe.each(Object.entries(packageBoundaries))("%s, packed", (name, boundary) => {
  const directory = join(home, "node_modules", name);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const files = filesBelow(directory, []);
  const fileOf = (subpath: string): string => manifest.exports[subpath]?.default;
  /** Every file that can be started or imported. */
  const starts = [...Object.keys(boundary.entries).map(fileOf), ...Object.values<string>(manifest.bin ?? {})];

  it("exports exactly the entries of the table, types first", () => {
    const code = Object.keys(boundary.entries).map((subpath) => {
      const path = fileOf(subpath) ?? "";
      // `./internal` may share the file of the package, with declarations of its own.
      const types = subpath === "./internal" ? "./dist/internal.d.ts" : path.replace(/\.js$/, ".d.ts");
      return [subpath, JSON.stringify({ types, default: path })];
    });
    const data = (boundary.files ?? []).map((subpath) => [
      subpath,
      expect.stringMatching(/^(?:"\.\/.+"|\{"types":"\.\/dist\/.+\.d\.ts","default":"\.\/.+"\})$/),
    ]);
    const exported = Object.entries(manifest.exports ?? {}).map(([subpath, target]) => [
      subpath,
      JSON.stringify(target),
    ]);
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries([...code, ...data]));
  });

  it("imports in its code and its declarations exactly the packages of the table", async () => {
    const code = await Promise.all(starts.map((path) => reach(directory, path)));
    const declared = files
      .filter((path) => path.endsWith(".d.ts"))
      .flatMap((path) => importsOf(readFileSync(join(directory, path), "utf8")));
    const outside = [...code.flatMap((entry) => entry.outside), ...declared];
    const packagesUsed = unique(outside.filter((to) => !to.startsWith(".") && !isBuiltin(to)).map(packageOf)).filter(
      (used) => used !== name, // A program of the package imports it as users do.
    );
    const { imports, thirdParty = [] } = boundary;
    const peers = [...(boundary.peers ?? []), ...Object.keys(boundary.optional ?? {})];
    expect(packagesUsed).toEqual([...imports, ...thirdParty, ...peers].sort());
    expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual([...imports, ...thirdParty].sort());
    const passed = boundary.passedPeers ?? [];
    expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual([...peers, ...passed].sort());
  });

  const neutral = Object.keys(boundary.entries).filter((subpath) => boundary.entries[subpath] === "neutral");

  it.each(neutral)("loads no module of Node from %s", async (entry) => {
    const { outside } = await reach(directory, fileOf(entry));
    expect(outside.filter((to) => isBuiltin(to) || /^@acp-kit\/[^/]+\/node(\/|$)/.test(to))).toEqual([]);
  });

  it("contains only code that an entry reaches", async () => {
    const reached = await Promise.all(starts.map((path) => reach(directory, path)));
    // Only a browser loads the page.
    const code = files.filter((path) => path.endsWith(".js") && !path.startsWith("dist/page/"));
    expect(code).toEqual(unique(reached.flatMap((entry) => entry.files)));
  });
});
