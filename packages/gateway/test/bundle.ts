import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages } from "@acp-kit/configs/packages";
import { build } from "esbuild";

const alias = Object.fromEntries(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)]),
  ),
);

/** Bundles a program of this folder with the current sources into a folder, for a plain `node` process. */
export async function bundle(
  program: "echo-agent" | "crashing-server" | "crashing-http-server",
  folder: string,
): Promise<string> {
  const outfile = join(folder, `${program}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`${program}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["libsql"],
    // The bundle is an ES module. `ws` in it is CommonJS and calls `require` for modules of Node, so the banner defines
    // `require`.
    banner: {
      js: 'import { createRequire as _require } from "node:module"; const require = _require(import.meta.url);',
    },
    plugins: [
      {
        name: "sources",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^@acp-kit\// }, ({ path }) =>
            alias[path] === undefined ? undefined : { path: alias[path] },
          ),
      },
    ],
  });
  symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(folder, "node_modules"), "junction");
  return outfile;
}
