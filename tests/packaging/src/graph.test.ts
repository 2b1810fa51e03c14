import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { house } from "@acp-kit/workspace-tests/house";
import { filesBelow, importsOf } from "@acp-kit/workspace-tests/sources";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

const { npm: home } = inject("homes");

const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
const unique = (values: Iterable<string>) => [...new Set(values)].sort();

/** What the built code of one entry reaches: its own files, and the modules outside of the package. */
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

describe.each(Object.entries(house))("%s, packed", (name, rooms) => {
  const directory = join(home, "node_modules", name);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const files = filesBelow(directory, []);
  const fileOf = (subpath: string): string => manifest.exports[subpath]?.default;
  /** Everything that can be started or imported. */
  const starts = [...Object.keys(rooms.entries).map(fileOf), ...Object.values<string>(manifest.bin ?? {})];

  it("exports exactly the entries of the table, types first", () => {
    const code = Object.keys(rooms.entries).map((subpath) => {
      const path = fileOf(subpath) ?? "";
      return [subpath, JSON.stringify({ types: path.replace(/\.js$/, ".d.ts"), default: path })];
    });
    const data = (rooms.files ?? []).map((subpath) => [subpath, expect.stringMatching(/^"\.\/.+"$/)]);
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
      (used) => used !== name, // a program of its own imports it as others do
    );
    const { imports, thirdParty = [] } = rooms;
    const peers = [...(rooms.peers ?? []), ...Object.keys(rooms.optional ?? {})];
    expect(packagesUsed).toEqual([...imports, ...thirdParty, ...peers].sort());
    expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual([...imports, ...thirdParty].sort());
    const passed = rooms.passedPeers ?? [];
    expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual([...peers, ...passed].sort());
  });

  const neutral = Object.keys(rooms.entries).filter((subpath) => rooms.entries[subpath] === "neutral");

  it.each(neutral)("reaches nothing of Node's from %s", async (entry) => {
    const { outside } = await reach(directory, fileOf(entry));
    expect(outside.filter((to) => isBuiltin(to) || /^@acp-kit\/[^/]+\/node(\/|$)/.test(to))).toEqual([]);
  });

  it("ships no code that no entry reaches", async () => {
    const reached = await Promise.all(starts.map((path) => reach(directory, path)));
    const code = files.filter((path) => path.endsWith(".js") && !path.startsWith("dist/page/")); // a browser loads the page
    expect(code).toEqual(unique(reached.flatMap((entry) => entry.files)));
  });
});
