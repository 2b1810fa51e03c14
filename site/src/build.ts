// Builds the site into .vitepress/dist: the pages of the repository and the API reference. Then checks every link, and
// the widths of pages.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { build } from "vitepress";
import { brokenLinks } from "./check-links.js";
import { widePages } from "./check-widths.js";
import { preparePages } from "./prepare-pages.js";

const site = join(root, "site");
const output = join(site, ".vitepress", "dist");

preparePages();
const scratch = mkdtempSync(join(tmpdir(), "acp-kit-reference-"));
const stop = new AbortController();
try {
  const reference = join(scratch, "site");
  await Promise.all([build(site), runReference(reference, scratch, stop.signal)]);
  cpSync(reference, join(output, "reference"), { recursive: true }); // VitePress has emptied its output first.
} finally {
  stop.abort(); // If the pages could not be built, the other process still runs.
  rmSync(scratch, { recursive: true, force: true });
}

const broken = brokenLinks(output, "/acp-kit/");
for (const { page, target } of broken) console.error(`${page}: the target of the link ${target} does not exist`);

const wide = await widePages(output, "/acp-kit/");
if (wide === undefined) console.log("Not run: the widths of pages, because no Chromium was found (ACP_KIT_BROWSER).");
for (const { page, screen, width, elements } of wide ?? [])
  console.error(`${page} is ${width} pixels wide on a screen of ${screen}: ${elements.join(", ")}`);

if (broken.length > 0 || (wide ?? []).length > 0) process.exit(1);

/** Builds the API reference in a process of its own, while this process builds the pages. */
async function runReference(folder: string, scratch: string, signal: AbortSignal): Promise<void> {
  const program = fork(join(import.meta.dirname, "build-reference.ts"), [folder, scratch], { signal });
  const [code] = await once(program, "exit");
  if (code !== 0) throw new Error("The API reference could not be built.");
}
