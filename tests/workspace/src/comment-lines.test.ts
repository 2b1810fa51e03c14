import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { withoutComments } from "@acp-kit/configs/without-comments";
import { expect, it } from "vitest";
import { filesBelow } from "./sources.js";

const MAX_LINE = 120;
const isSource = (path: string): boolean =>
  /^\w.*\.(?:[cm]?[jt]s|tsx)$/.test(path) && !/\.gen\.|\/(?:gen|cases)\//.test(path);

/** The lines of a file that are too long because of a comment, apart from comments that the linter reads. */
function longComments(path: string): string[] {
  const code = readFileSync(join(root, path), "utf8");
  const lines = code.split("\n");
  if (!lines.some((line) => line.length > MAX_LINE && /^\s*\*|\/[*/]/.test(line))) return [];
  const bare = withoutComments(code, path.endsWith(".tsx")).split("\n");
  const isComment = (line: string, index: number): boolean => bare[index]?.trimEnd() !== line.trimEnd();
  return lines.flatMap((line, index) =>
    line.length > MAX_LINE && isComment(line, index) && !line.includes("biome-ignore") ? [`${path}:${index + 1}`] : [],
  );
}

// The formatter wraps code, but no comments.
it("comments are wrapped at 120 characters", () => {
  expect(filesBelow(root).filter(isSource).flatMap(longComments)).toEqual([]);
});
