import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, it } from "vitest";
import { blocksOf, filled } from "./blocks.js";
import { documents, testedElsewhere } from "./documents.js";
import { regionsOf, textOf } from "./regions.js";

const all = documents();
const code = ["ts", "tsx", "typescript", "js", "javascript"];

describe.each(all)("$path", ({ path, text }) => {
  const blocks = blocksOf(text);

  // The others have a test beside their source that compares them.
  if (!testedElsewhere.includes(path)) {
    it("shows no code but that of our examples", () => {
      const loose = blocks.filter(({ language, file }) => code.includes(language) && file === undefined);
      expect(loose.map(({ line }) => `${path}:${line} needs file=path#region`)).toEqual([]);
    });
  }

  it("shows it as it is", () => {
    for (const { file, text, line } of blocks) {
      if (file !== undefined) expect(text, `${path}:${line}, run the script "sync" of tests/docs`).toBe(textOf(file));
    }
  });

  it("serves no files to an agent but through workspaceFiles: what is copied from here is attacked", () => {
    const own = blocks.filter(({ text }) => /\b(read|write)TextFile\b/.test(text) && /node:fs|\bfs\./.test(text));
    const byText = blocks.filter(({ text }) => /[pP]ath\w*\.startsWith\(/.test(text));
    expect([...own, ...byText].map(({ line }) => `${path}:${line}`)).toEqual([]);
  });

  it("has no link that leads nowhere", () => {
    const links = [...text.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, target = "", anchor]) => {
      const file = target === "" ? path : posix.normalize(posix.join(posix.dirname(path), target));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(join(root, file), "utf8")).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

/** The anchors that GitHub makes of headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    const words = heading.toLowerCase().replace(/[^\p{Letter}\p{Number}\s_-]/gu, "");
    return words.trim().replace(/\s/g, "-");
  });
}

it("has no region that no document shows", () => {
  const shown = new Set(all.flatMap(({ text }) => blocksOf(text).map(({ file }) => file)));
  const regions = filesBelow(join(root, "examples"))
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => {
      const source = readFileSync(join(root, "examples", path), "utf8");
      return regionsOf(source).map((name) => `examples/${path}#${name}`);
    });
  expect(regions.filter((region) => !shown.has(region))).toEqual([]);
});

describe("filling", () => {
  it("fills the blocks that name a file, and no others", () => {
    const markdown = "a\n```ts file=x#y\nold\n```\n```ts\nkept\n```\n```sh\nkept\n```\n";
    expect(filled(markdown, (file) => `new ${file}\n`)).toBe(
      "a\n```ts file=x#y\nnew x#y\n```\n```ts\nkept\n```\n```sh\nkept\n```\n",
    );
    expect(blocksOf(markdown).map(({ line, file }) => [line, file])).toEqual([
      [2, "x#y"],
      [5, undefined],
      [8, undefined],
    ]);
  });
});
