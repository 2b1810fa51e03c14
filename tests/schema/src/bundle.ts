import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { entries, packages } from "@acp-kit/configs/packages";
import { build } from "esbuild";

const sources = fileURLToPath(new URL("../../../packages/schema/src/", import.meta.url));

/** Resolves our packages to their sources in this tree, built or not. */
const alias = Object.fromEntries(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)]),
  ),
);

/** Bundles a module whose imports are relative to the package's source folder (`export * from "./decode.ts"`). */
export async function bundle(contents: string, options: { readonly minify: boolean }): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sources, loader: "ts" },
    bundle: true,
    alias,
    format: "esm",
    target: "es2022",
    minify: options.minify,
    legalComments: "none",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Returns the number of bytes after minification and gzip. */
export async function size(contents: string): Promise<number> {
  return gzipSync(await bundle(contents, { minify: true }), { level: 9 }).byteLength;
}
