// Fails if the package in the working directory is not built. It is the `prepack` script of every package, because a
// package that is packed without its build can be installed, and then can't be imported.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { entries } from "./packages.mjs";

const missing = entries(process.cwd())
  .flatMap(({ output }) => [`dist/${output}.js`, `dist/${output}.d.ts`])
  .filter((path) => !existsSync(join(process.cwd(), path)));
if (missing.length > 0) {
  console.error(
    `The package is not built: it has no ${missing.join(", ")}. Run "npm run build" in the root of the repository.`,
  );
  process.exit(1);
}
