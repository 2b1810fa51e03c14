import { lexer, type Token } from "marked";
import remend from "remend";

/** A block of a Markdown text, such as a paragraph or a fence. */
export interface MarkdownBlock {
  readonly raw: string;
  readonly tokens: readonly Token[];
}

/**
 * The Markdown blocks of a text. Pass this object to the next call of {@link parseMarkdown}, so that the same blocks
 * are not parsed twice.
 */
export interface ParsedMarkdown {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
  /** The part of the text after {@link MAX_MARKDOWN} characters, which is shown as plain text. */
  readonly rest: string;
}

/** The maximum number of characters of a text that are parsed as Markdown. */
export const MAX_MARKDOWN = 200_000;
/** The maximum number of characters after {@link MAX_MARKDOWN} that are shown, as plain text. Later characters are not shown. */
export const MAX_REST = 100_000;
/** While a text streams, formatting without an end (such as `**bold`) counts as closed only if the last block has at most this many characters. */
const MAX_COMPLETED = 20_000;
/** The number of blocks at the end that are parsed again when more text arrives, because a list, for example, can continue after an empty line. */
const OPEN_BLOCKS = 3;

const nothing: ParsedMarkdown = { text: "", blocks: [], rest: "" };

/**
 * Parses a Markdown text. `before` is the result for an earlier, shorter version of the text. The function parses only the last blocks of
 * `before` again, and returns its other blocks unchanged. While the text streams, formatting that is open at its end (`**bold`, a fence)
 * counts as closed.
 */
export function parseMarkdown(fullText: string, before: ParsedMarkdown = nothing, isStreaming = false): ParsedMarkdown {
  const text = fullText.slice(0, MAX_MARKDOWN);
  const rest = fullText.slice(MAX_MARKDOWN);
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
    // Removes a fence whose first line is incomplete, because its backticks or tildes would appear as text for a moment.
    return remend(raw.replace(/(^|\n) {0,3}(`{1,2}|~{1,2}|`{3,}[^`\n]*|~{3}[^\n]*)$/, "$1"));
  } catch {
    return raw;
  }
}
