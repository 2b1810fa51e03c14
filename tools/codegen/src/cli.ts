// `pnpm generate` writes the generated files; `pnpm generate --check` only reports whether they are up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { DecisionsError, decisionLine } from "./decisions.js";
import { gateTableUrl, withGateLines } from "./gate-lines.js";
import { generate } from "./generate.js";
import { outputDirectories } from "./homes.js";
import { loadManifest, schemaDirectory, schemaPaths } from "./load.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const check = process.argv.includes("--check");

const schemas = new Map(schemaPaths.map((path) => [path, readFileSync(join(schemaDirectory, path))]));
const files = await generate(schemas, loadManifest()).catch((error: unknown) => {
  if (!(error instanceof DecisionsError)) throw error;
  console.error(
    `The schema needs ${error.decisions.length === 1 ? "a decision" : "decisions"} that the generator can't take:`,
  );
  const table = readFileSync(gateTableUrl, "utf8");
  for (const decision of withGateLines(error.decisions, table)) console.error(`- ${decisionLine(decision)}`);
  process.exit(1);
});

const stale = existing().filter((path) => !files.has(path));
const changed = [...files].filter(
  ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
);

if (!check) {
  for (const path of stale) rmSync(join(root, path));
  for (const [path, text] of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`${files.size} files, ${changed.length} written, ${stale.length} removed`);
} else if (changed.length + stale.length > 0) {
  for (const [path] of changed) console.error(`differs from what the schema says: ${path}`);
  for (const path of stale) console.error(`no longer generated: ${path}`);
  console.error("Run `pnpm generate` and commit the result.");
  process.exitCode = 1;
}

/** The generated files on disk. Hand-written ones may be beside them: only `*.gen.*` files may be removed. */
function existing(): string[] {
  return outputDirectories
    .map((directory) => join(root, directory))
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.includes(".gen."))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
