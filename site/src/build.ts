// Builds the site into .vitepress/dist: the pages of the repository, the API reference, a check of every link, and one of the width of pages on a small screen.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { build } from "vitepress";
import { brokenLinks } from "./check-links.js";
import { widePages } from "./check-widths.js";
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

const wide = await widePages(output, "/acp-kit/");
if (wide === undefined) console.log("Not run: the widths of pages, because no Chromium was found (ACP_KIT_BROWSER).");
for (const { page, screen, width, elements } of wide ?? [])
  console.error(`${page} is ${width} pixels wide on a screen of ${screen}: ${elements.join(", ")}`);

if (broken.length > 0 || (wide ?? []).length > 0) process.exit(1);
