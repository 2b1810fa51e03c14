// Builds the site into .vitepress/dist: the pages of the repository, the API reference, and a check of every link.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { build } from "vitepress";
import { brokenLinks } from "./check-links.js";
import { preparePages } from "./prepare-pages.js";
import { buildReference } from "./reference.js";

const site = join(root, "site");
const output = join(site, ".vitepress", "dist");

preparePages();
await build(site);

const scratch = mkdtempSync(join(tmpdir(), "acp-kit-reference-"));
try {
  await buildReference(join(output, "reference"), scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const broken = brokenLinks(output, "/acp-kit/");
for (const { page, target } of broken) console.error(`${page}: ${target} leads nowhere`);
if (broken.length > 0) process.exit(1);
