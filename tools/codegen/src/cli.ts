// `pnpm generate` writes the generated files, `pnpm generate --uncommitted` only those that git doesn't hold, as every
// build does. `pnpm generate --check` writes nothing, and reports the committed files that are not up to date.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "@acp-kit/configs/files";
import { DecisionsError, decisionLine } from "./decisions.js";
import { gateTableUrl, withGateLines } from "./gate-lines.js";
import { generate } from "./generate.js";
import { loadManifest, schemaDirectory, schemaPaths } from "./load.js";
import { isCommitted, outputDirectories } from "./output-paths.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const check = process.argv.includes("--check");
const uncommitted = process.argv.includes("--uncommitted");
const isWanted = (path: string) => (check ? isCommitted(path) : !uncommitted || !isCommitted(path));

const schemas = new Map(schemaPaths.map((path) => [path, readFileSync(join(schemaDirectory, path))]));
const files = await generate(schemas, loadManifest(), isWanted).catch((error: unknown) => {
  if (!(error instanceof DecisionsError)) throw error;
  console.error(
    `The schema needs ${error.decisions.length === 1 ? "a decision" : "decisions"} that the generator can't take:`,
  );
  const table = readFileSync(gateTableUrl, "utf8");
  for (const decision of withGateLines(error.decisions, table)) console.error(`- ${decisionLine(decision)}`);
  process.exit(1);
});

const stale = existing()
  .filter(isWanted)
  .filter((path) => !files.has(path));
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

/** Returns the generated files on disk. The folders may also contain hand-written files. */
function existing(): string[] {
  return outputDirectories
    .filter((directory) => existsSync(join(root, directory)))
    .flatMap((directory) => filesBelow(join(root, directory)).map((path) => `${directory}/${path}`))
    .filter((path) => basename(path).includes(".gen."));
}
