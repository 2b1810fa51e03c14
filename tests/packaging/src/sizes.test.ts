import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { agent, bundled, packageBoundaries, pages } from "@acp-kit/workspace-tests/package-boundaries";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

const { npm: home, agent: agentHome } = inject("homes");

const isMap = (path: string) => path.endsWith(".map");

function kilobytes(directory: string, counts: (path: string) => boolean): number {
  const sizes = filesBelow(directory, [])
    .filter(counts)
    .map((path) => statSync(join(directory, path)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

it.each(Object.entries(packageBoundaries))(
  "%s does not exceed its size limit, without source maps",
  (name, boundary) => {
    const directory = join(home, "node_modules", name);
    expect(kilobytes(directory, (path) => !isMap(path))).toBeLessThanOrEqual(boundary.unpackedKb);
  },
);

it("a stdio agent with its dependencies does not exceed the size limit on the disk", () => {
  const directory = join(agentHome, "node_modules");
  expect(kilobytes(directory, (path) => !isMap(path))).toBeLessThanOrEqual(agent.installedKb);
  expect(kilobytes(directory, isMap)).toBeLessThanOrEqual(agent.mapsKb);
});

it("a stdio agent loads at most the limit of code", async () => {
  const { metafile } = await build({
    stdin: { contents: agent.entries.map((entry) => `import ${JSON.stringify(entry)};`).join("\n"), resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    // Counts the files that Node reads, not the code that a bundler would keep.
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

it.each(Object.entries(pages))(
  "a page with %s loads at most the limits of code: before it connects, and for a gateway",
  async (_, page) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: page.source, resolveDir: home, loader: "js" },
      absWorkingDir: home,
      outdir: home, // The build writes no files.
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
    expect(kb(true)).toBeLessThanOrEqual(page.firstKb);
    expect(kb(false)).toBeGreaterThan(1);
    expect(kb(false)).toBeLessThanOrEqual(page.laterKb);
  },
);

it.each(Object.entries(bundled))("%s does not exceed its limit, bundled, minified and gzipped", async (_, program) => {
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
});

/** The modules of version 2 of the protocol that esbuild puts into the bundle of a program. */
async function modulesOfVersion2(source: string, platform: "browser" | "node"): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: home, loader: "js" },
    absWorkingDir: home,
    outdir: home, // The build writes no files.
    bundle: true,
    splitting: true,
    platform,
    format: "esm",
    metafile: true,
    write: false,
  });
  const bundledModules = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return bundledModules.filter((path) => /@acp-kit\/(?:v2\/|[\w-]+\/dist\/v2)/.test(path));
}

describe("version 2 of the protocol", () => {
  it.each([
    ...Object.entries(pages).map(([name, { source }]) => [`a page with ${name}`, source, "browser"] as const),
    ...Object.entries(bundled).map(([name, { source }]) => [name, source, "node"] as const),
  ])("is not in the bundle of %s, neither at first nor later", async (_, source, platform) => {
    expect(await modulesOfVersion2(source, platform)).toEqual([]);
  });

  it("is in the bundle of a page that imports it", async () => {
    const source = `import { v2 } from "@acp-kit/v2/client"; ${pages.connectAgent.source.replace('/acp")', '/acp"), { info: { name: "page", version: "1" }, versions: [v2] }')}`;
    expect(source).toContain("versions: [v2]");
    expect(await modulesOfVersion2(source, "browser")).not.toEqual([]);
  });
});
