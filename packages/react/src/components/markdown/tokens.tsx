import type { Token, Tokens } from "marked";
import { createElement, Fragment, type ReactElement, type ReactNode } from "react";
import { fileLinkOf, OpenableFile } from "../file-links.js";
import { plainText, safeHref } from "../plain-text.js";

/** Renders the content of a code block; `language` is the agent's text after the fence. */
export type RenderCode = (code: string, language: string | undefined) => ReactNode;

/** The maximum nesting of blocks. Deeper blocks are shown as text. */
const MAX_DEPTH = 20;

/**
 * Renders tokens of Markdown as elements. HTML in the text is shown as text. Links open only safe addresses. An image
 * is shown as a link, because a browser that loads an image tells the image's server that the user reads the text.
 */
export function renderTokens(tokens: readonly Token[], renderCode: RenderCode, depth = 0): ReactNode {
  if (depth > MAX_DEPTH) return plainText(tokens.map(({ raw }) => raw).join(""));
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and a text only grows at its end
  return tokens.map((token, index) => <Fragment key={index}>{renderToken(token, renderCode, depth + 1)}</Fragment>);
}

function renderToken(token: Token, renderCode: RenderCode, depth: number): ReactNode {
  const inner = (): ReactNode =>
    "tokens" in token && token.tokens !== undefined
      ? renderTokens(token.tokens, renderCode, depth)
      : plainText("text" in token ? token.text : token.raw);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return createElement(
        `h${Math.min(6, (token as Tokens.Heading).depth + 1)}`,
        { className: "acp-heading" },
        inner(),
      );
    case "paragraph":
      return <p>{inner()}</p>;
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "code":
      return renderCode(plainText(token.text), languageOf((token as Tokens.Code).lang));
    case "list":
      return renderList(token as Tokens.List, renderCode, depth);
    case "table":
      return renderTable(token as Tokens.Table, renderCode, depth);
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return <code>{plainText(token.text)}</code>;
    case "link":
      return link((token as Tokens.Link).href, inner());
    case "image":
      return link((token as Tokens.Image).href, `🖼 ${plainText((token as Tokens.Image).text) || "image"}`);
    case "escape":
      return plainText(token.text);
    case "checkbox":
      return null; // the list item renders the checkbox
    case "text":
      return "tokens" in token && token.tokens !== undefined ? inner() : plainText(unescaped(token.text));
    default:
      return plainText(token.raw); // HTML, and kinds of tokens of newer versions of the parser
  }
}

function renderList({ ordered, start, items }: Tokens.List, renderCode: RenderCode, depth: number): ReactElement {
  const rendered = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity, and a text only grows at its end
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label="task" />}
      {renderTokens(item.tokens, renderCode, depth)}
    </li>
  ));
  if (!ordered) return <ul>{rendered}</ul>;
  return <ol start={typeof start === "number" ? start : 1}>{rendered}</ol>;
}

function renderTable({ header, rows }: Tokens.Table, renderCode: RenderCode, depth: number): ReactElement {
  const cell = (each: Tokens.TableCell): ReactNode => renderTokens(each.tokens, renderCode, depth);
  return (
    <div className="acp-table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
              <th key={index} scope="col">
                {cell(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={index}>
              {row.map((each, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
                <td key={column}>{cell(each)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function link(href: string, content: ReactNode): ReactNode {
  const safe = safeHref(href);
  if (safe === undefined) {
    const file = fileLinkOf(href);
    if (file !== undefined) return <OpenableFile link={file}>{content}</OpenableFile>;
    return <span title="This address can't be opened, because it may be unsafe">{content}</span>;
  }
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow" title={safe}>
      {content}
    </a>
  );
}

/** Replaces HTML entities by their characters, because the parser leaves this to the renderer. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function languageOf(lang: string | undefined): string | undefined {
  const [word = ""] = (lang ?? "").split(/\s/, 1);
  return /^[\w+#.-]{1,40}$/.test(word) ? word : undefined;
}
