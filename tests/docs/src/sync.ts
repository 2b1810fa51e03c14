// Fills the blocks of all documents from the sources that they name, and writes the figures of the bench report:
// `pnpm --filter @acp-kit/docs-tests sync`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filled } from "./blocks.js";
import { documents } from "./documents.js";
import { figuresFilled } from "./figures.js";
import { textOf } from "./regions.js";

for (const { path, text } of documents()) {
  const now = figuresFilled(path, filled(text, textOf));
  if (now === text) continue;
  writeFileSync(join(root, path), now);
  console.log(`filled ${path}`);
}
