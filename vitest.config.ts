import { existsSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { entries, packages, root } from "./tools/configs/packages.mjs";

if (!existsSync(join(root, "packages/schema/src/gen/v1/validate.gen.js")))
  throw new Error("The sources that are generated and not committed are missing: run `pnpm sources`.");

// Tests run on sources: `@acp-kit/x/y` is the file that the export map of `x` says it is built from.
const alias = packages().flatMap(({ name, directory }) =>
  entries(directory).map(({ subpath, source }) => ({
    find: new RegExp(`^${name}${subpath.slice(1)}$`),
    replacement: join(directory, source),
  })),
);

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "tools/*/src/**/*.test.ts",
      "tests/*/src/**/*.test.ts",
      "examples/*/src/**/*.test.ts",
    ],
    // It tests what is built and packed, with a set-up of its own: `npm test -- packaging`.
    exclude: [...configDefaults.exclude, "tests/packaging/**"],
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000, // some compile a package
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
