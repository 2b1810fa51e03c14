import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { entries, packages, root } from "@acp-kit/configs/packages";
import { build, type Plugin } from "esbuild";
import { type Change, plant } from "./plant.js";
import type { Subject } from "./simulate.js";

/** A change that breaks a guarantee. */
export interface Mistake extends Change {
  readonly name: string;
  /** A second change, in another source. It is needed if each of two parts of the code alone keeps the guarantee. */
  readonly also?: Change;
}

/** Bundles the gateway's sources with an intended mistake. */
export function withMistake({ also, ...change }: Mistake): Promise<Subject> {
  const changed = new Map<string, string>();
  for (const one of also === undefined ? [change] : [change, also]) {
    const path = join(root, "packages", "gateway", "src", one.file);
    changed.set(path, plant(changed.get(path) ?? readFileSync(path, "utf8"), one));
  }
  return ofSources({
    name: "plant",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = changed.get(path);
        return contents === undefined ? undefined : { contents, loader: "ts" };
      }),
  });
}

/** The gateway from its sources, without a build. */
export async function ofSources(...plugins: readonly Plugin[]): Promise<Subject> {
  const alias = Object.fromEntries(
    packages().flatMap(({ name, directory }) =>
      entries(directory).map(({ subpath, source }) => [`${name}${subpath.slice(1)}`, join(directory, source)]),
    ),
  );
  const sources = join(root, "packages");
  const contents = [
    `export * from ${JSON.stringify(join(sources, "gateway", "src", "internal.ts"))};`,
    `export { v2 } from ${JSON.stringify(join(sources, "v2", "src", "gateway", "index.ts"))};`,
  ].join("\n");
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-simulation-"));
  try {
    const outfile = join(folder, "subject.mjs");
    await build({
      stdin: { contents, resolveDir: root },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      alias,
      plugins: [...plugins],
    });
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Subject;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
