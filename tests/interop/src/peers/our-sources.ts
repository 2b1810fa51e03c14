import { join } from "node:path";
import { entries, packages } from "@acp-kit/configs/packages";
import type { Plugin } from "esbuild";

/** Resolves packages of this workspace to their sources, as the tests do, so that nothing must be built first. */
export const ourSources: Plugin = {
  name: "our-sources",
  setup(build) {
    const sources = new Map(
      packages().flatMap(({ name, directory }) =>
        entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)] as const),
      ),
    );
    build.onResolve({ filter: /^@acp-kit\// }, ({ path }) => {
      const source = sources.get(path);
      return source === undefined ? undefined : { path: source };
    });
  },
};
