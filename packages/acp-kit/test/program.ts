import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const directory = fileURLToPath(new URL("..", import.meta.url));

/** The source of an entry of ours: its export map says what is built of it. */
function sourceOf(specifier: string): string {
  const [, name = "", ...rest] = specifier.split("/");
  const manifest = join(directory, "..", name, "package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, { default: string }> };
  const target = exports[[".", ...rest].join("/")]?.default ?? "";
  return join(dirname(manifest), target.replace("./dist/", "./src/").replace(/\.js$/, ".ts"));
}

/** Packages of this workspace are their sources, as in the tests themselves: nothing has to be built first. */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    build.onResolve({ filter: /^@acp-kit\// }, ({ path }) => ({ path: sourceOf(path) }));
  },
};

/** The real program, made of the sources: as deep below this package as the built one, since it reads the manifest from there. */
const path: string = join(directory, "node_modules", ".cache", `acp-kit-${process.pid}.mjs`);
let made: Promise<string> | undefined;

/** Makes the command line runnable and returns its path. */
export function commandLine(): Promise<string> {
  made ??= bundle();
  return made;
}

async function bundle(): Promise<string> {
  const main = JSON.stringify(join(directory, "src", "node", "cli.ts"));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { main } from ${main}; process.exit(await main(process.argv.slice(2)));`,
      resolveDir: directory,
    },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["commander", "diff", "marked", "string-width"],
    plugins: [ourSources],
    logLevel: "error",
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, outputFiles[0]?.contents ?? "");
  renameSync(`${path}.new`, path);
  return path;
}
