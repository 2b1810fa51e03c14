import { Lexer } from "marked";
import { describe, expect, it, vi } from "vitest";
import { type ParsedMarkdown, parseMarkdown } from "./blocks.js";

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Texts that a quadratic rule of a Markdown parser starts again at each character or line. */
const worst: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    [
      ...["a*_b", "*a ", "**a *b ", "_a", "~~a~", "**", "`a``b```", "\\", "&", "&#"],
      ...["[", "[a](", "[a](<", '[a](b "', "![", "[a]", "[a][", "[^1]:", "[a]: b\n", "[a]: b '"],
      ...["<a ", "<!-- ", "<div>\n", "</", "<?", "<![CDATA[", "https://a.b ", "www.", "a@b.c", "a."],
      ...[
        ">",
        "> ",
        "> a\n",
        "> a\nb\n",
        "> - a\n",
        ">\n",
        "> ```\n",
        "- ",
        "- a\n",
        "- a\n\n",
        "1. ",
        "- [ ] a\n",
        "* a\n+ b\n",
      ],
      ...["|a", "a|b\n", "a|b\n-|-\n", "||\n", "#", "a\n=\n", "    a\n", "```\n", "~~~", "***", "\n", " ", "\r", "\t"],
    ].map((piece) => [JSON.stringify(piece), repeat(piece)]),
  ),
  "lists in lists": (length) =>
    Array.from({ length: Math.floor(Math.sqrt(length)) }, (_, depth) => `${" ".repeat(2 * depth)}- a`).join("\n"),
  "a table of many columns": (length) =>
    `${repeat("|a")(length / 4)}\n${repeat("|-")(length / 4)}\n${repeat("|\n")(length / 2)}`,
  "references to many definitions": (length) =>
    Array.from({ length: length / 20 }, (_, index) => `[a${index}]: x\n`).join("") + repeat("[b]\n\n")(length / 2),
};

const LENGTH = 20_000;

describe("hostile.markdown: the rules of the parser that need quadratic time get a bounded part of a text", () => {
  it.each(Object.entries(worst))("of %s", (_, make) => {
    const inline = vi.spyOn(Lexer.prototype, "inlineTokens");
    const text = make(LENGTH);
    for (const isStreaming of [false, true]) {
      const { blocks } = parseMarkdown(text, undefined, isStreaming);
      expect(blocks.reduce((sum, { raw }) => sum + raw.length, 0)).toBe(text.replace(/\r\n?/g, "\n").length);
    }
    expect(Math.max(0, ...inline.mock.calls.map(([source]) => source.length))).toBeLessThanOrEqual(1_000);
    inline.mockRestore();
  });

  it("of definitions, which the parser searches for each pair of brackets", () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `[a${index}]: https://a.example/${index}\n`).join("");
    const parsed = parseMarkdown(`${text}\n[a1] [a1999]`);
    expect(Object.keys(parsed.definitions)).toHaveLength(500);
    expect(shown(parsed)).toContain('"href":"https://a.example/1"');
  });
});

/** The texts of all tokens, and their kinds in one line. */
function shown({ blocks }: ParsedMarkdown): string {
  return JSON.stringify(blocks.map(({ tokens }) => tokens));
}

describe("a long block", () => {
  const words = "word ".repeat(1_000);

  it("has its formatting: it is divided at ends of lines and words", () => {
    const parsed = parseMarkdown(`${words}**bold** ${words}[link](https://a.example) ${words}`);
    expect(shown(parsed)).toContain('"type":"strong","raw":"**bold**"');
    expect(shown(parsed)).toContain('"href":"https://a.example"');
  });

  it("is not divided inside a character", () => {
    const inline = vi.spyOn(Lexer.prototype, "inlineTokens");
    parseMarkdown(`a${"😀".repeat(5_001)}`);
    const pieces = inline.mock.calls.map(([source]) => source);
    inline.mockRestore();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(`a${"😀".repeat(5_001)}`);
    for (const piece of pieces) expect(Buffer.from(piece).toString()).toBe(piece);
  });

  it("counts formatting without an end as closed while it streams, if it is on the last lines", () => {
    const list = "- an item of a list\n".repeat(500);
    expect(shown(parseMarkdown(`${list}- an **open`, undefined, true))).toContain('"type":"strong"');
    expect(shown(parseMarkdown(`${list}- an **open`))).not.toContain('"type":"strong"');
    const code = `\`\`\`ts\n${"const a = 1;\n".repeat(500)}const b = a **`;
    expect(shown(parseMarkdown(code, undefined, true))).toContain('const b = a **"');
  });
});
