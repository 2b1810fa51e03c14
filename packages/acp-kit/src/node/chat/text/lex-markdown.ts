import { markdownTokens } from "@acp-kit/client/internal";
import { Lexer, Marked, type Token } from "marked";

/**
 * Limits for each call of the Markdown library. Its block rules need linear time, but its inline rules need quadratic
 * time for some texts, and it recurses for each level of nesting. `piece` limits the length of a whole text. `inline`
 * limits the length of one block whose emphasis, links and code are rendered; a longer block stays plain text.
 */
export const markdownLimits = { piece: 20_000, inline: 2_000, nesting: 50, tableColumns: 20 } as const;

/** Treats a table with more than `tableColumns` columns as text, because the library fills up each of its rows. */
const markdown: Marked = new Marked({
  tokenizer: {
    ...markdownTokens,
    table: (source) =>
      countOf(source.slice(0, lineEnd(source)), "|") > markdownLimits.tableColumns ? undefined : false,
  },
});

/** Returns the blocks of a Markdown text. If the nesting is too deep, returns the whole text as one block. */
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

/** Runs only the first step of `lexer.lex`. The second would process the inline marks of every block. */
function blockTokens(text: string): { readonly lexer: Lexer; readonly blocks: readonly Token[] } {
  const lexer = new Lexer(markdown.defaults);
  return { lexer, blocks: lexer.blockTokens(text, lexer.tokens) };
}

/** Matches the marks of quotes and lists at the beginning of a line. Each mark may begin a further level of nesting. */
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
