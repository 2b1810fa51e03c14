import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/**
 * Returns the source file of an entry point of this workspace. The export map of the package contains the path of the
 * built file.
 */
function sourceOf(specifier: string): string {
  const [, name = "", ...rest] = specifier.split("/");
  const manifest = new URL(`../../${name}/package.json`, import.meta.url);
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, { types: string }> };
  const target = exports[[".", ...rest].join("/")]?.types ?? ""; // several entries can share a file of the build
  return fileURLToPath(new URL(target.replace("./dist/", "./src/").replace(/\.d\.ts$/, ".ts"), manifest));
}

/**
 * Packages of this workspace resolve to their sources: nothing has to be built first. The commands import `./node` as a
 * file beside them.
 */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    build.onResolve({ filter: /^@acp-kit\// }, ({ path, importer }) => {
      if (/acp-(script|faulty)\.ts$/.test(importer)) return { path: "./index.js", external: true };
      return { path: sourceOf(path) };
    });
  },
};

/** The output of {@link built}. */
export interface Built extends Disposable {
  readonly directory: string;
  /** Loads the built `@acp-kit/testing/node`, which finds the commands in its own folder. */
  load(): Promise<typeof import("../src/node/index.js")>;
  /** The example of the README, with its imports. */
  example(): Promise<typeof import("../src/node/readme.examples.js")>;
  /** The path of a script: of `fixtures`, or of the README. */
  script(name: string): string;
}

/** Builds the entry `./node`, its commands and scripts, as the package's build does. */
export async function built(): Promise<Built> {
  const parent = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "built-"));
  const scripts = ["agent-script", "client-script"];
  await build({
    entryPoints: {
      index: source("node/index.ts"),
      "acp-script": source("node/acp-script.ts"),
      "acp-faulty": source("node/acp-faulty.ts"),
      readme: source("node/readme.examples.ts"),
      "readme-script": source("node/readme-script.examples.ts"),
      ...Object.fromEntries(
        scripts.map((name) => [name, fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))]),
      ),
    },
    outdir: directory,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [ourSources],
    logLevel: "error",
  });
  return {
    directory,
    load: () => import(join(directory, "index.js")) as Promise<typeof import("../src/node/index.js")>,
    example: () => import(join(directory, "readme.js")) as Promise<typeof import("../src/node/readme.examples.js")>,
    script: (name) => join(directory, `${name}.js`),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}
