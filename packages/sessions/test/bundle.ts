import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages } from "@acp-kit/configs/packages";
import { build } from "esbuild";

/**
 * Bundles a program of this folder with the current sources, for a plain `node` process. Returns its folder and its
 * path.
 */
export async function bundle(program: string): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-crash-"));
  const path = join(folder, "program.mjs");
  const alias = Object.fromEntries(
    packages().flatMap(({ name, directory }) =>
      entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)]),
    ),
  );
  await build({
    entryPoints: [fileURLToPath(new URL(program, import.meta.url))],
    outfile: path,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["libsql"],
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
  return { folder, path };
}
