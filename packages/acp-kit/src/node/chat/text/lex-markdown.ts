import { Lexer, Marked, type Token } from "marked";

/**
 * Limits of a call of the Markdown library. Its block rules take linear time, its inline rules quadratic time on some texts, and it
 * recurses for each level of nesting. Therefore the length of a piece is limited, more strictly for inline marks, and also nesting and tables.
 */
export const markdownLimits = { piece: 20_000, inline: 2_000, nesting: 50, tableColumns: 20 } as const;

/** Tables with more columns are treated as text: the library pads each row to all columns. */
const markdown: Marked = new Marked({
  tokenizer: {
    table: (source) =>
      countOf(source.slice(0, lineEnd(source)), "|") > markdownLimits.tableColumns ? undefined : false,
  },
});

/** Returns the blocks of a Markdown text. A text with too deep nesting is one block of text. */
export function lexBlocks(text: string): readonly Token[] {
  return isDeep(text) ? [{ type: "text", raw: text, text }] : blockTokens(text).blocks;
}

/** Like {@link lexBlocks}, with the content of the blocks: emphasis, links, code. */
export function lexMarkdown(text: string): readonly Token[] {
  if (isDeep(text)) return [{ type: "text", raw: text, text }];
  const { lexer, blocks } = blockTokens(text);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > markdownLimits.inline) tokens.push({ type: "text", raw: src, text: src });
    else lexer.inlineTokens(src, tokens);
  }
  return blocks;
}

/** The first step of `lexer.lex`, which would continue with all inline marks at any cost. */
function blockTokens(text: string): { readonly lexer: Lexer; readonly blocks: readonly Token[] } {
  const lexer = new Lexer(markdown.defaults);
  return { lexer, blocks: lexer.blockTokens(text, lexer.tokens) };
}

/** Marks of quotes and lists at the beginning of a line, each of which may nest. */
const marks = />|[-*+.)][ \t]/g;

function isDeep(text: string): boolean {
  for (const [line] of text.matchAll(/^[ \t>*+\-\d.)]+/gm)) {
    if ((line.match(marks)?.length ?? 0) > markdownLimits.nesting) return true;
  }
  return false;
}

function lineEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 ? text.length : end;
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}
