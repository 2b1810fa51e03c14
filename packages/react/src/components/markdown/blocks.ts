import { lexer, type Token } from "marked";
import remend from "remend";

/** A block of a Markdown text, such as a paragraph or a fence. */
export interface MarkdownBlock {
  readonly raw: string;
  readonly tokens: readonly Token[];
}

/** The blocks of one text, and what is needed to continue when more of it has arrived. */
export interface ParsedMarkdown {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
  /** The rest of a text above {@link MAX_MARKDOWN}, which is shown as it is. */
  readonly rest: string;
}

/** The number of characters up to which a text is read as Markdown. */
export const MAX_MARKDOWN = 200_000;
/** The number of characters that are shown of the rest. */
export const MAX_REST = 100_000;
/** The number of characters of one block up to which unfinished marks in it are completed. */
const MAX_COMPLETED = 20_000;
/** The last blocks may change when more text arrives: a list continues after an empty line. */
const OPEN_BLOCKS = 3;

const nothing: ParsedMarkdown = { text: "", blocks: [], rest: "" };

/**
 * Reads a Markdown text. With `before`, the result of the same text when it was shorter, only its last blocks are read again, and all
 * others are the same objects. While the text streams, marks that its end leaves open (`**bold`, a fence) count as closed.
 */
export function parseMarkdown(whole: string, before: ParsedMarkdown = nothing, isStreaming = false): ParsedMarkdown {
  const text = whole.slice(0, MAX_MARKDOWN);
  const rest = whole.slice(MAX_MARKDOWN);
  const kept = text.startsWith(before.text) ? before.blocks.slice(0, -OPEN_BLOCKS) : [];
  const keptLength = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  const read: MarkdownBlock[] = tokensOf(text.slice(keptLength)).map((token) => ({ raw: token.raw, tokens: [token] }));
  const last = read.at(-1);
  if (isStreaming && last !== undefined && last.raw.length <= MAX_COMPLETED) {
    read[read.length - 1] = { raw: last.raw, tokens: tokensOf(completed(last.raw)) };
  }
  return { text, blocks: [...kept, ...read], rest };
}

function tokensOf(text: string): Token[] {
  try {
    return lexer(text, { gfm: true });
  } catch {
    return [{ type: "text", raw: text, text }]; // nested too deep for the parser
  }
}

function completed(raw: string): string {
  try {
    // A fence whose first line has not ended has no content yet: its marks would flash as text.
    return remend(raw.replace(/(^|\n) {0,3}(`{1,2}|~{1,2}|`{3,}[^`\n]*|~{3}[^\n]*)$/, "$1"));
  } catch {
    return raw;
  }
}
