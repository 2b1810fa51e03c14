import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { entries, packages, root } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";

/** Packages of this workspace are their sources, as in all tests: nothing has to be built first. */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    const sources = new Map(
      packages().flatMap(({ name, directory }) =>
        entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)] as const),
      ),
    );
    const library = (...path: string[]) => ({
      path: pathToFileURL(join(root, "packages", ...path)).href,
      external: true,
    });
    build.onResolve({ filter: /^@acp-kit\// }, ({ path }) => {
      const source = sources.get(path);
      return source === undefined ? undefined : { path: source };
    });
    const archives: Readonly<Record<string, readonly string[]>> = {
      semver: ["index.js"],
      tar: ["dist", "esm", "index.js"],
      "unbzip2-stream": ["index.js"],
      yauzl: ["index.js"],
    };
    build.onResolve({ filter: /^(?:semver|tar|unbzip2-stream|yauzl)$/ }, ({ path }) =>
      library("registry", "node_modules", path, ...(archives[path] ?? [])),
    );
    build.onResolve({ filter: /^ws$/ }, () => library("http", "node_modules", "ws", "wrapper.mjs"));
    build.onResolve({ filter: /^libsql$/ }, () => library("gateway", "node_modules", "libsql", "index.js"));
    build.onResolve({ filter: /^prom-client$/ }, () => library("gateway", "node_modules", "prom-client", "index.js"));
    build.onResolve({ filter: /^@redis\/client$/ }, () =>
      library("gateway-redis", "node_modules", "@redis", "client", "dist", "index.js"),
    );
    build.onResolve({ filter: /^pg$/ }, () => library("gateway-postgres", "node_modules", "pg", "esm", "index.mjs"));
  },
};

/** Makes the command line runnable, as deep below its package as the built one is, since it reads the manifest from there. */
export async function buildCommandLine(): Promise<string> {
  const directory = join(root, "packages", "acp-kit");
  const main = JSON.stringify(join(directory, "src", "node", "cli.ts"));
  const folder = join(directory, "node_modules", ".cache", `fire-${process.pid}`);
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
    external: ["commander", "diff", "marked", "string-width"],
    plugins: [ourSources],
    logLevel: "error",
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(folder, basename(path)), contents);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return join(folder, "stdin.js");
}
