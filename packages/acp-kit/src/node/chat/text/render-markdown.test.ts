import { describe, expect, it } from "vitest";
import { widthOf } from "./layout.js";
import { createPaint } from "./paint.js";
import { completeLength, renderMarkdown } from "./render-markdown.js";

const coloured = (columns: number) => ({ columns, paint: createPaint(true) });
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken away
const plain = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/\u001b\[[\d;]*m/g, ""));
const shown = (text: string, columns = 40): string[] => plain(renderMarkdown(text, coloured(columns)));

describe("Markdown in a terminal", () => {
  it("renders headings, emphasis, code and links", () => {
    expect(renderMarkdown("# Title", coloured(40))).toEqual(["\u001b[1m\u001b[36mTitle\u001b[39m\u001b[22m"]);
    expect(shown("Some **bold** and `code` [here](https://a.b).", 24)).toEqual([
      "Some bold and code here",
      "(https://a.b).",
    ]);
  });

  it("renders nested, numbered and task lists", () => {
    expect(shown("1. one\n2. two\n   - deep\n\n- [x] done\n- [ ] open")).toEqual([
      "1. one",
      "2. two",
      "   • deep",
      "",
      "☑ done",
      "☐ open",
    ]);
  });

  it("does not change code", () => {
    expect(shown("```ts\nif (a) {\n  b < c && d\n}\n```")).toEqual(["▏ ts", "▏ if (a) {", "▏   b < c && d", "▏ }"]);
  });

  it("renders tables, and lists of their cells if a table is too wide", () => {
    const table = "| name | n |\n|---|--:|\n| 漢字 | 1 |\n| b | 20 |";
    expect(shown(table)).toEqual(["name │  n", "─────┼───", "漢字 │  1", "b    │ 20"]);
    expect(shown(table, 8)).toEqual(["name: 漢", "  字", "n: 1", "", "name: b", "n: 20"]);
  });

  it("renders no line wider than the terminal", () => {
    const text = `${"word ".repeat(30)}\n\n> ${"quoted ".repeat(20)}\n\n- ${"漢字".repeat(40)}\n\n\`\`\`\n${"x".repeat(200)}\n\`\`\``;
    for (const line of renderMarkdown(text, coloured(24))) expect(widthOf(line)).toBeLessThanOrEqual(24);
  });

  it("shows the unchanged source without colours", () => {
    expect(renderMarkdown("# A **b**\n", { columns: Number.POSITIVE_INFINITY, paint: createPaint(false) })).toEqual([
      "# A **b**",
    ]);
  });
});

it("counts a block as complete when the next block has begun", () => {
  expect(completeLength("one")).toBe(0);
  expect(completeLength("one\n\n")).toBe(0);
  expect("one\n\ntwo".slice(0, completeLength("one\n\ntwo"))).toBe("one\n\n");
  expect(completeLength("```\na\n\nb")).toBe(0);
});
