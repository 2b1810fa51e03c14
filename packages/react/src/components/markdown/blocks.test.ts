import fc from "fast-check";
import { type Token, walkTokens } from "marked";
import { describe, expect, it } from "vitest";
import { type ParsedMarkdown, parseMarkdown } from "./blocks.js";

/** Parses a text that arrives in pieces, each time with the previous result. */
function streamed(pieces: readonly string[]): ParsedMarkdown {
  let text = "";
  let parsed: ParsedMarkdown | undefined;
  for (const piece of pieces) {
    text += piece;
    parsed = parseMarkdown(text, parsed, true);
  }
  return parseMarkdown(text, parsed);
}

function linksOf({ blocks }: ParsedMarkdown): string[] {
  const links: string[] = [];
  const add = (token: Token): void => {
    if (token.type === "link") links.push(token.href);
  };
  for (const { tokens } of blocks) walkTokens([...tokens], add);
  return links;
}

describe("a text that arrives in pieces", () => {
  const filler = "\n\none\n\ntwo\n\nthree\n\nfour\n\n";

  it("has its links also if the definition of their addresses is much later or much earlier", () => {
    expect(linksOf(streamed(["See [1].", filler, "[1]: https://a.example/\n"]))).toEqual(["https://a.example/"]);
    expect(linksOf(streamed(["[1]: https://a.example/", filler, "See [1]."]))).toEqual(["https://a.example/"]);
  });

  it("has a link in its last block while it streams, if the definition is much earlier", () => {
    const first = parseMarkdown(`[1]: https://a.example/${filler}`, undefined, true);
    expect(linksOf(parseMarkdown(`${first.text}See [1]`, first, true))).toEqual(["https://a.example/"]);
  });

  it("contains nothing twice if its lines end with a carriage return and a line feed", () => {
    const text = "one\r\n\r\ntwo\r\n\r\nthree\r\n\r\nfour\r\n\r\nfive\r\n";
    const parsed = streamed([text, "\r\nsix"]);
    expect(parsed.blocks.map(({ raw }) => raw).join("")).toBe(`${text}\r\nsix`.replaceAll("\r\n", "\n"));
  });

  it("equals the text that arrived as a whole", () => {
    const piece = fc.constantFrom(
      ..."[1]|[a]|[a]: x:a|[1]: x:1|[1]: x:2 'title'|[b][1]|> |- |1. |# |\n|\n\n|\r|\r\n|    |```|~~~|word|**|_|`|===|---|<div>|</div>|<!--|-->".split(
        "|",
      ),
      "| a | b |\n| - | - |\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(streamed(pieces).blocks).toEqual(parseMarkdown(pieces.join("")).blocks);
      }),
      { numRuns: 500 },
    );
  });
});

it("parses the same text only once, and keeps blocks that a later definition does not change", () => {
  const text = "plain\n\nSee [1].\n\none\n\ntwo\n\nthree";
  const first = parseMarkdown(text);
  expect(parseMarkdown(text, first)).toBe(first);
  const defined = parseMarkdown(`${text}\n\n[1]: https://a.example/`, first);
  expect(defined.blocks[0]).toBe(first.blocks[0]);
  expect(linksOf(defined)).toEqual(["https://a.example/"]);
});
