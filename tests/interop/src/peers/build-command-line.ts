import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";
import { ourSources } from "./our-sources.js";

const directory = join(root, "packages", "acp-kit");

/**
 * Bundles the command line from its sources, and returns the path of the program. The program is as deep below its
 * package as the built one, because it reads the manifest by a relative path.
 */
export async function buildCommandLine(): Promise<string> {
  const main = JSON.stringify(join(directory, "src", "node", "cli.ts"));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { main } from ${main}; process.exit(await main(process.argv.slice(2)));`,
      resolveDir: directory,
    },
    write: false,
    bundle: true,
    splitting: true,
    outdir: ".",
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [builtInspector, ourSources, librariesByAddress],
    logLevel: "error",
  });
  const folder = join(directory, "node_modules", ".cache", `command-line-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(folder, basename(path)), contents);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return join(folder, "stdin.js");
}

/** Whether the page of the inspector is built. */
export const isInspectorBuilt: boolean = existsSync(join(root, "packages", "inspector", "dist", "page", "page.js"));

/** The page of the inspector exists only in its built package, so the inspector is not bundled. */
const builtInspector: Plugin = {
  name: "built-inspector",
  setup(build) {
    const path = pathToFileURL(join(root, "packages", "inspector", "dist", "node", "index.js")).href;
    build.onResolve({ filter: /^@acp-kit\/inspector$/ }, () => ({ path, external: true }));
  },
};

/** Leaves libraries out of the bundle. Each is imported by the address of the file that its importer would get. */
const librariesByAddress: Plugin = {
  name: "libraries-by-address",
  setup(build) {
    const asked = Symbol("asked");
    build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...importer }) => {
      if (pluginData === asked || path.startsWith("@acp-kit/")) return undefined;
      const found = await build.resolve(path, { ...importer, pluginData: asked });
      if (found.errors.length > 0 || found.external) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};
