import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

const sources = new Map(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)] as const),
  ),
);

/** Packages of this workspace are their sources: nothing has to be built first. The commands import `./node` as a file beside them. */
const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    build.onResolve({ filter: /^@acp-kit\// }, ({ path, importer }) => {
      if (/acp-(script|faulty)\.ts$/.test(importer)) return { path: "./index.js", external: true };
      const source = sources.get(path);
      return source === undefined ? undefined : { path: source };
    });
  },
};

/** What {@link built} made. */
export interface Built extends Disposable {
  readonly directory: string;
  /** The built `@acp-kit/testing/node`, which knows the commands beside it. */
  load(): Promise<typeof import("../src/node/index.js")>;
  /** The example of the README, with what it imports. */
  example(): Promise<typeof import("../src/node/readme.examples.js")>;
  /** The path of a script: of `fixtures`, or of the README. */
  script(name: string): string;
}

/** The entry `./node`, its commands and scripts, made runnable as the build does it. */
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
