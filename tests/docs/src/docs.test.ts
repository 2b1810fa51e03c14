import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, it } from "vitest";
import { blocksOf, filled } from "./blocks.js";
import { documents, testedElsewhere } from "./documents.js";
import { brokenLinks, linksOf } from "./links.js";
import { regionsOf, textOf } from "./regions.js";

const all = documents();
const code = ["ts", "tsx", "typescript", "js", "javascript"];

/** Returns the packages that code imports. */
function packagesOf(source: string): string[] {
  const specifiers = [...source.matchAll(/(?:^import|^export|^\}).* from "([^"]+)"|^import "([^"]+)"/gm)];
  return specifiers
    .map(([, from, only]) => from ?? only ?? "")
    .filter((specifier) => !/^(?:\.|node:)/.test(specifier))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}

/** Returns the packages that the commands `npm install` of a document install. */
function installedBy(markdown: string): string[] {
  return [...markdown.matchAll(/npm install ([^\n`#]+)/g)].flatMap(([, words = ""]) => words.trim().split(/ +/));
}

describe.each(all)("$path", ({ path, text }) => {
  const blocks = blocksOf(text);

  // For the other READMEs, a test beside their source compares the examples.
  if (!testedElsewhere.includes(path)) {
    it("shows only code of our examples", () => {
      const loose = blocks.filter(({ language, file }) => code.includes(language) && file === undefined);
      expect(loose.map(({ line }) => `${path}:${line} needs <!-- file=path#region --> on the line before`)).toEqual([]);
    });
  }

  it("shows the current code of the examples", () => {
    for (const { file, text, line } of blocks) {
      if (file !== undefined) expect(text, `${path}:${line}, run the script "sync" of tests/docs`).toBe(textOf(file));
    }
  });

  it("shows how to install each package that its code imports", () => {
    const imported = blocks.filter(({ language }) => code.includes(language)).flatMap(({ text }) => packagesOf(text));
    const installed = installedBy(text);
    expect([...new Set(imported)].filter((name) => name !== "vitest" && !installed.includes(name))).toEqual([]);
  });

  it("shows file access only through workspaceFiles, because readers copy the code", () => {
    const own = blocks.filter(({ text }) => /\b(read|write)TextFile\b/.test(text) && /node:fs|\bfs\./.test(text));
    const byText = blocks.filter(({ text }) => /[pP]ath\w*\.startsWith\(/.test(text));
    expect([...own, ...byText].map(({ line }) => `${path}:${line}`)).toEqual([]);
  });

  it("names only the language in a fence", () => {
    expect(blocks.filter(({ language }) => /\s/.test(language)).map(({ line }) => `${path}:${line}`)).toEqual([]);
  });

  it("has no broken link", () => {
    expect(brokenLinks(path, text)).toEqual([]);
  });

  it("has each link on one line, because the site rewrites links line by line", () => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
    expect(prose.match(/\[[^[\]\n]*\n[^[\]]*\]\(/g) ?? []).toEqual([]);
  });

  if (/^packages\/[^/]+\/README\.md$/.test(path)) {
    it("shows how to install the package, and ends with the section 'Where to go next'", () => {
      expect(text).toMatch(/^(?:npm install|npm create|npx) /m);
      expect(text.match(/^## .*$/gm)?.at(-1)).toBe("## Where to go next");
    });

    it("has no relative link, because the registry shows the README", () => {
      const relative = linksOf(text).filter(({ target }) => target !== "" && !/^https:/.test(target));
      expect(relative.map(({ link }) => link)).toEqual([]);
    });
  }
});

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
  it("writes code only into the blocks that name a file", () => {
    const markdown = "a\n<!-- file=x#y -->\n```ts\nold\n```\n```ts\nkept\n```\n```sh\nkept\n```\n";
    expect(filled(markdown, (file) => `new ${file}\n`)).toBe(
      "a\n<!-- file=x#y -->\n```ts\nnew x#y\n```\n```ts\nkept\n```\n```sh\nkept\n```\n",
    );
    expect(blocksOf(markdown).map(({ line, file }) => [line, file])).toEqual([
      [3, "x#y"],
      [6, undefined],
      [9, undefined],
    ]);
  });
});

describe("links", () => {
  it("to files of the repository are checked, relative and absolute ones", () => {
    const links =
      "[a](nowhere.md) [b](../README.md#nothing) [c](#Here) [d](https://github.com/acp-kit/acp-kit/blob/main/none) [e](https://example.com)";
    const broken = [
      "[a](nowhere.md)",
      "[b](../README.md#nothing)",
      "[d](https://github.com/acp-kit/acp-kit/blob/main/none)",
    ];
    expect(brokenLinks("docs/x.md", `${links}\n# Here\n`)).toEqual([
      ...broken.slice(0, 2),
      "[c](#Here)",
      ...broken.slice(2),
    ]);
  });
});
