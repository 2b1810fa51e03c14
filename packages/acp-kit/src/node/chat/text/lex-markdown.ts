import { Lexer, Marked, type Token } from "marked";

/**
 * What is handed to the Markdown library at once. Its block rules take linear time, its inline rules quadratic time on some texts, and it
 * recurses for each level of nesting: so a piece has a length, a text with inline marks a smaller one, and nesting and tables an end.
 */
export const markdownLimits = { piece: 20_000, inline: 2_000, nesting: 50, tableColumns: 20 } as const;

/** Tables with more columns are text: the library pads each row to all columns. */
const markdown: Marked = new Marked({
  tokenizer: {
    table: (source) =>
      countOf(source.slice(0, lineEnd(source)), "|") > markdownLimits.tableColumns ? undefined : false,
  },
});

/** The blocks of a Markdown text. A text that nests too deeply is one block of text. */
export function lexBlocks(text: string): readonly Token[] {
  return isDeep(text) ? [{ type: "text", raw: text, text }] : blockTokens(text).blocks;
}

/** The same with what is in the blocks: emphasis, links, code. */
export function lexMarkdown(text: string): readonly Token[] {
  if (isDeep(text)) return [{ type: "text", raw: text, text }];
  const { lexer, blocks } = blockTokens(text);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > markdownLimits.inline) tokens.push({ type: "text", raw: src, text: src });
    else lexer.inlineTokens(src, tokens);
  }
  return blocks;
}

/** What `lexer.lex` does first; it would go on with all inline marks, whatever they cost. */
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
