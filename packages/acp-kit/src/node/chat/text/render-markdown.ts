import { prefixOf } from "@acp-kit/protocol/internal";
import type { Token, Tokens } from "marked";
import type { Canvas } from "./canvas.js";
import { indent, widthOf, wrap } from "./layout.js";
import { lexBlocks, lexMarkdown, markdownLimits } from "./lex-markdown.js";
import { withoutLineEnds } from "./trim.js";

/**
 * Renders Markdown as lines for a terminal. Without colours, the Markdown source is shown unchanged, because it is
 * readable.
 *
 * @param text cleaned text, see `cleanText`.
 */
export function renderMarkdown(text: string, canvas: Canvas): string[] {
  if (!canvas.paint.enabled) return wrap(withoutLineEnds(text), canvas.columns);
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = prefixOf(text.slice(at), markdownLimits.piece);
    const isLast = at + rest.length === text.length;
    const piece = isLast ? rest : rest.slice(0, completeLength(rest) || rest.length);
    const drawn = blocks(lexMarkdown(piece), canvas);
    if (lines.length > 0 && drawn.length > 0) lines.push("");
    for (const line of drawn) lines.push(line);
    at += piece.length;
  }
  return lines;
}

/**
 * Returns the length of the blocks that later text can't change. These are all blocks except the last. If the first
 * block is longer than `markdownLimits.piece`, it counts as complete and is cut at that length.
 */
export function completeLength(text: string): number {
  const isCut = text.length > markdownLimits.piece;
  const piece = prefixOf(text, markdownLimits.piece);
  const tokens = lexBlocks(piece);
  let last = tokens.length - 1;
  while (last >= 0 && tokens[last]?.type === "space") last -= 1;
  const complete = tokens.slice(0, Math.max(last, 0)).reduce((sum, { raw }) => sum + raw.length, 0);
  return isCut && complete === 0 ? piece.length : complete;
}

function blocks(tokens: readonly Token[], canvas: Canvas): string[] {
  const drawn = tokens.map((token) => block(token, canvas)).filter((lines) => lines.length > 0);
  return drawn.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function block(token: Token, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return wrap(paint.bold(paint.cyan(inline((token as Tokens.Heading).tokens, canvas))), columns);
    case "code":
      return code(token as Tokens.Code, canvas);
    case "blockquote": {
      const bar = paint.dim("│ ");
      const inner = blocks((token as Tokens.Blockquote).tokens, { ...canvas, columns: columns - 2 });
      return inner.map((line) => `${bar}${paint.dim(line)}`);
    }
    case "list":
      return list(token as Tokens.List, canvas);
    case "table":
      return table(token as Tokens.Table, canvas);
    case "hr":
      return [paint.dim("─".repeat(Math.min(columns, 40)))];
    default:
      return wrap(
        "tokens" in token && token.tokens ? inline(token.tokens, canvas) : withoutEntities(token.raw.trimEnd()),
        columns,
      );
  }
}

function code({ text, lang }: Tokens.Code, { paint, columns }: Canvas): string[] {
  const bar = paint.dim("▏ ");
  const title = lang ? [`${bar}${paint.dim(lang)}`] : [];
  const body = wrap(text, columns - 2).map((line) => bar + paint.yellow(line));
  return [...title, ...body];
}

function list({ items, ordered, start, loose }: Tokens.List, canvas: Canvas): string[] {
  return items.flatMap((item, index) => {
    const number = `${Number(start || 1) + index}.`;
    const mark = item.task ? (item.checked ? "☑" : "☐") : ordered ? number : "•";
    const first = `${canvas.paint.cyan(mark)} `;
    const width = widthOf(first);
    const inner = { ...canvas, columns: canvas.columns - width };
    const lines = item.tokens.flatMap((token, at) => {
      const drawn = token.type === "checkbox" ? [] : block(token, inner);
      return at > 0 && loose && drawn.length > 0 && token.type !== "list" ? ["", ...drawn] : drawn;
    });
    return (lines.length === 0 ? [""] : lines).map((line, at) =>
      (at === 0 ? first + line : " ".repeat(width) + line).trimEnd(),
    );
  });
}

function table({ header, rows, align }: Tokens.Table, canvas: Canvas): string[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => inline(cell.tokens, canvas)));
  const widths = header.map((_, column) => cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), 0));
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  const { paint, columns } = canvas;
  if (total > columns) {
    // The table is too wide for the terminal: render each row as a list of its cells.
    return cells
      .slice(1)
      .flatMap((row, at) => [
        ...(at > 0 ? [""] : []),
        ...row.flatMap((cell, column) => indent(cell, columns, `${paint.bold(cells[0]?.[column] ?? "")}: `, "  ")),
      ]);
  }
  const pad = (cell: string, column: number): string => {
    const room = (widths[column] ?? 0) - widthOf(cell);
    const left = align[column] === "right" ? room : align[column] === "center" ? Math.floor(room / 2) : 0;
    return " ".repeat(left) + cell + " ".repeat(room - left);
  };
  const bar = paint.dim(" │ ");
  const rule = paint.dim(widths.map((width) => "─".repeat(width)).join("─┼─"));
  const [head = "", ...body] = cells.map((row, at) =>
    row
      .map((cell, column) => (at === 0 ? paint.bold(pad(cell, column)) : pad(cell, column)))
      .join(bar)
      .trimEnd(),
  );
  return [head, rule, ...body];
}

function inline(tokens: readonly Token[] | undefined, canvas: Canvas): string {
  return (tokens ?? []).map((token) => inlineToken(token, canvas)).join("");
}

function inlineToken(token: Token, canvas: Canvas): string {
  const { paint } = canvas;
  const inner = (): string => inline("tokens" in token ? token.tokens : undefined, canvas);
  switch (token.type) {
    case "strong":
      return paint.bold(inner());
    case "em":
      return paint.italic(inner());
    case "del":
      return paint.strike(inner());
    case "codespan":
      return paint.yellow((token as Tokens.Codespan).text);
    case "br":
      return "\n";
    case "link":
    case "image": {
      const { href, text } = token as Tokens.Link | Tokens.Image;
      const label = token.type === "image" ? `🖼 ${text}` : inner();
      return label === href || href === `mailto:${text}` ? paint.underline(href) : `${label} ${paint.dim(`(${href})`)}`;
    }
    case "escape":
      return (token as Tokens.Escape).text;
    case "text":
      return "tokens" in token && token.tokens ? inner() : withoutEntities((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

/** Replaces the HTML entities that some agents write instead of the character itself. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
