import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";
import { filesBelow } from "./sources.js";

it("no package uses AbortSignal.any, which does not keep its signals alive in Node 20: a time limit among them may never end", () => {
  const found = packages().flatMap(({ name, directory }) =>
    filesBelow(directory)
      .filter((path) => path.startsWith("src/") && /\.tsx?$/.test(path))
      .filter((path) => /AbortSignal\.any\(/.test(readFileSync(join(directory, path), "utf8")))
      .map((path) => `${name}: ${path}`),
  );
  expect(found).toEqual([]);
});
