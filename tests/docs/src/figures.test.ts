import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";
import { figuresFilled, withFigures } from "./figures.js";

it.each(withFigures)("%s contains the figures of the bench report", (path) => {
  const text = readFileSync(join(root, path), "utf8");
  expect(figuresFilled(path, text), "write them with: pnpm --filter @acp-kit/docs-tests sync").toBe(text);
});
