import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { agent, browserClient, bundled, house } from "@acp-kit/workspace-tests/house";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { build } from "esbuild";
import { expect, inject, it } from "vitest";

const { npm: home, agent: agentHome } = inject("homes");

const isMap = (path: string) => path.endsWith(".map");

function kilobytes(directory: string, counts: (path: string) => boolean): number {
  const sizes = filesBelow(directory, [])
    .filter(counts)
    .map((path) => statSync(join(directory, path)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

it.each(Object.entries(house))("%s weighs what the table allows, source maps apart", (name, rooms) => {
  const directory = join(home, "node_modules", name);
  expect(kilobytes(directory, (path) => !isMap(path))).toBeLessThanOrEqual(rooms.unpackedKb);
});

it("installs no more than the table allows for a stdio agent, dependencies included", () => {
  const directory = join(agentHome, "node_modules");
  expect(kilobytes(directory, (path) => !isMap(path))).toBeLessThanOrEqual(agent.installedKb);
  expect(kilobytes(directory, isMap)).toBeLessThanOrEqual(agent.mapsKb);
});

it("loads no more code than the table allows for a stdio agent", async () => {
  const { metafile } = await build({
    stdin: { contents: agent.entries.map((entry) => `import ${JSON.stringify(entry)};`).join("\n"), resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    // Not what a bundler would keep: what Node reads.
    treeShaking: false,
    platform: "node",
    format: "esm",
    metafile: true,
    write: false,
    ignoreAnnotations: true,
  });
  const loaded = Object.values(metafile.inputs).reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  expect(loaded).toBeLessThanOrEqual(agent.loadedKb);
});

it("loads no more than the table allows into a page, before it connects and for a gateway", async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: browserClient.source, resolveDir: home, loader: "js" },
    absWorkingDir: home,
    outdir: home, // nothing is written
    bundle: true,
    splitting: true,
    minify: true,
    platform: "browser",
    target: "es2022",
    format: "esm",
    metafile: true,
    write: false,
  });
  const first = new Set<string>();
  const load = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind === "import-statement") load(path);
  };
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs)) if (entryPoint === "<stdin>") load(name);
  const kb = (isFirst: boolean): number =>
    outputFiles
      .filter(({ path }) => first.has(relative(home, path)) === isFirst)
      .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength / 1000, 0);
  expect(kb(true)).toBeGreaterThan(10);
  expect(kb(true)).toBeLessThanOrEqual(browserClient.firstKb);
  expect(kb(false)).toBeGreaterThan(1);
  expect(kb(false)).toBeLessThanOrEqual(browserClient.laterKb);
});

it.each(Object.entries(bundled))(
  "bundles %s into no more than the table allows, minified and gzipped",
  async (_, program) => {
    const { outputFiles } = await build({
      stdin: { contents: program.source, resolveDir: home, loader: "js" },
      absWorkingDir: home,
      bundle: true,
      minify: true,
      platform: "node",
      target: "node20",
      format: "esm",
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength / 1000).toBeLessThanOrEqual(program.kb);
  },
);
