import { markdownTokens } from "@acp-kit/client/internal";
import { prefixOf } from "@acp-kit/protocol/internal";
import { Lexer, Marked, type Token, type Tokens } from "marked";
import remend from "remend";

const markdown: Marked = new Marked(
  { gfm: true, tokenizer: markdownTokens },
  {
    tokenizer: {
      // A table with more columns is shown as text, because the parser adds the missing cells to each of its rows.
      table: (source) => (source.slice(0, source.indexOf("\n")).split("|").length > MAX_COLUMNS ? undefined : false),
    },
  },
);

/** A block of a Markdown text, such as a paragraph or a fence. */
export interface MarkdownBlock {
  readonly raw: string;
  readonly tokens: readonly Token[];
}

/** The addresses of a text's reference definitions, such as `[1]: https://example.com/`, by their labels. */
type Definitions = Lexer["tokens"]["links"];

/** The Markdown blocks of a text, for the next call of {@link parseMarkdown}, which parses only new ones. */
export interface ParsedMarkdown {
  /** The part of the text that is parsed, with line feeds only. */
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
  /** The part of the text after {@link MAX_MARKDOWN} characters, which is shown as plain text. */
  readonly rest: string;
  readonly isStreaming: boolean;
  readonly definitions: Definitions;
  /** Whether some blocks were parsed with other definitions. Their references may lack links, or have old ones. */
  readonly isOutdated: boolean;
}

/** The maximum number of characters of a text that are parsed as Markdown. */
export const MAX_MARKDOWN = 200_000;
/** The maximum number of characters after {@link MAX_MARKDOWN} that are shown, as plain text. */
export const MAX_REST = 100_000;
/** While a text streams, unfinished formatting (such as `**bold`) is closed only if it begins this near its end. */
const MAX_COMPLETED = 1_000;
/** The number of characters of a block that the inline rules of the parser get at once. */
const MAX_INLINE = 1_000;
/** The number of definitions, such as `[1]: https://example.com/`, whose references are links. */
const MAX_DEFINITIONS = 500;
const MAX_COLUMNS = 50;
/** The number of blocks at the end that are parsed again, because a list can continue after an empty line. */
const OPEN_BLOCKS = 3;

const nothing: ParsedMarkdown = {
  text: "",
  blocks: [],
  rest: "",
  isStreaming: false,
  definitions: {},
  isOutdated: false,
};

/**
 * Parses a Markdown text. `before` is the result for an earlier, shorter version of the text. The function parses only
 * the last blocks of `before` again, and returns its other blocks unchanged. While the text streams, formatting that is
 * open at its end (`**bold`, a fence) counts as closed, and references in earlier blocks have no link yet if their
 * definition follows later. When the text no longer streams, the result does not depend on `before`.
 */
export function parseMarkdown(fullText: string, before: ParsedMarkdown = nothing, isStreaming = false): ParsedMarkdown {
  // The parser replaces carriage returns too, and the lengths of its blocks count the replaced text.
  const head = prefixOf(fullText, MAX_MARKDOWN);
  const text = head.replace(/\r\n?/g, "\n");
  const rest = fullText.slice(head.length);
  if (text === before.text && isStreaming === before.isStreaming)
    return rest === before.rest ? before : { ...before, rest };
  const kept = text.startsWith(before.text) ? closedBlocks(before.blocks) : [];
  const keptLength = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  const { blocks: read, definitions } = blocksOf(text.slice(keptLength), definitionsOf(kept));
  const isOutdated = kept.length > 0 && (before.isOutdated || !isSame(before.definitions, definitions));
  if (!isStreaming && isOutdated) {
    const whole = blocksOf(text, {});
    const blocks = whole.blocks.map((block, index) =>
      isUnchanged(kept[index], block) ? (kept[index] ?? block) : block,
    );
    return { text, blocks, rest, isStreaming, definitions: whole.definitions, isOutdated: false };
  }
  const last = read.at(-1);
  if (isStreaming && last !== undefined) {
    read[read.length - 1] = { raw: last.raw, tokens: lexed(completed(last.raw), definitions).tokens };
  }
  return { text, blocks: [...kept, ...read], rest, isStreaming, definitions, isOutdated };
}

/** Returns the blocks that more text does not change. A later line can belong to a paragraph above it. */
function closedBlocks(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  let count = Math.max(0, blocks.length - OPEN_BLOCKS);
  while (count > 0 && !isClosed(blocks[count - 1])) count -= 1;
  return blocks.slice(0, count);
}

/** Whether no later line can belong to a block: it ends with an empty line, or is a heading, rule or fence. */
function isClosed(block: MarkdownBlock | undefined): boolean {
  const token = block?.tokens[0];
  if (token?.type === "space" || block?.raw.endsWith("\n\n")) return true;
  return (
    token?.type === "heading" || token?.type === "hr" || (token?.type === "code" && token.codeBlockStyle === undefined)
  );
}

/** Returns the blocks of a text, and the given definitions together with the definitions of the text. */
function blocksOf(text: string, known: Definitions): { blocks: MarkdownBlock[]; definitions: Definitions } {
  const { tokens, definitions } = lexed(text, known);
  return { blocks: tokens.map((token) => ({ raw: token.raw, tokens: [token] })), definitions };
}

/**
 * Returns the tokens of a text. The inline rules of the parser need quadratic time for some texts, so a long block is
 * passed to them in pieces. They also search all definitions for each pair of brackets, so only the first
 * {@link MAX_DEFINITIONS} count.
 */
function lexed(text: string, known: Definitions): { tokens: Token[]; definitions: Definitions } {
  const lexer = new Lexer(markdown.defaults);
  Object.assign(lexer.tokens.links, known);
  try {
    const tokens = lexer.blockTokens(text, lexer.tokens);
    for (const label of Object.keys(lexer.tokens.links).slice(MAX_DEFINITIONS)) delete lexer.tokens.links[label];
    for (const { src, tokens: inline } of lexer.inlineQueue)
      for (const piece of piecesOf(src)) lexer.inlineTokens(piece, inline);
    return { tokens, definitions: lexer.tokens.links };
  } catch {
    return { tokens: [{ type: "text", raw: text, text }], definitions: known }; // nested too deep for the parser
  }
}

/** Divides a block's text at the ends of lines or words, into pieces of at most {@link MAX_INLINE} characters. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > MAX_INLINE) {
    const limit = start + MAX_INLINE;
    const line = text.lastIndexOf("\n", limit - 1);
    const word = line > start ? line : text.lastIndexOf(" ", limit - 1);
    const end = word > start ? word + 1 : start + prefixOf(text.slice(start, limit + 1), MAX_INLINE).length;
    pieces.push(text.slice(start, end));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Returns the definitions of blocks. The first definition of a label counts. */
function definitionsOf(blocks: readonly MarkdownBlock[]): Definitions {
  const definitions: Definitions = Object.create(null);
  const add = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === "def") definitions[token.tag] ??= { href: token.href, title: token.title };
      else if (token.type === "blockquote") add(token.tokens ?? []);
      else if (token.type === "list") for (const { tokens: inner } of (token as Tokens.List).items) add(inner);
    }
  };
  for (const { raw, tokens } of blocks) if (raw.includes("]:")) add(tokens);
  return definitions;
}

function isSame(a: Definitions, b: Definitions): boolean {
  const labels = Object.keys(a);
  return (
    labels.length === Object.keys(b).length &&
    labels.every((label) => a[label]?.href === b[label]?.href && a[label]?.title === b[label]?.title)
  );
}

/** Whether a block is the same as before, and has no references, whose links may be different. */
function isUnchanged(before: MarkdownBlock | undefined, block: MarkdownBlock): boolean {
  return before?.raw === block.raw && !block.raw.includes("[");
}

/** Marks that are text here: HTML tags (completing `a <b` would remove text), formulas, and single tildes. */
const notMarkdown = { htmlTags: false, katex: false, inlineKatex: false, singleTilde: false } as const;

/** Closes the formatting at the end of a block, of a long one only in the last lines: `remend` is quadratic. */
function completed(raw: string): string {
  const from = raw.length <= MAX_COMPLETED ? 0 : raw.indexOf("\n", raw.length - MAX_COMPLETED) + 1;
  // A long block without line ends, and a fence, which needs no end, stay as they are.
  if (raw.length > MAX_COMPLETED && (from === 0 || /^ {0,3}(?:```|~~~)/.test(raw))) return raw;
  try {
    // Removes a fence whose first line is incomplete, because its backticks or tildes would appear as text for a
    // moment.
    const end = raw.slice(from).replace(/(^|\n) {0,3}(`{1,2}|~{1,2}|`{3,}[^`\n]*|~{3}[^\n]*)$/, "$1");
    return raw.slice(0, from) + remend(end, notMarkdown);
  } catch {
    return raw;
  }
}
