import { prefixOf } from "@acp-kit/protocol/internal";
import { memo, type ReactElement, type ReactNode, useRef } from "react";
import { classNames } from "../class-names.js";
import { plainText } from "../plain-text.js";
import { MAX_REST, type MarkdownBlock, type ParsedMarkdown, parseMarkdown } from "./blocks.js";
import { type RenderCode, renderTokens } from "./tokens.js";

/** Props of {@link Markdown}. */
export interface MarkdownProps {
  /** The text so far. When the text grows, only its last blocks are parsed and rendered again. */
  readonly text: string;
  /** Whether more text will follow. Open marks at the end of the text, such as a fence, then count as closed. */
  readonly streaming?: boolean;
  /** Renders code blocks, for example with highlighted syntax. By default they are `<pre><code>`. */
  readonly renderCode?: RenderCode;
  readonly className?: string;
}

/**
 * Renders an agent's text as GitHub Markdown, also while it streams. The text can't harm the page: HTML is shown as
 * text, only `http:`, `https:` and `mailto:` links can be opened, and images are links and are never loaded.
 */
export function Markdown({
  text,
  streaming = false,
  renderCode = preformatted,
  className,
}: MarkdownProps): ReactElement {
  const last = useRef<ParsedMarkdown | undefined>(undefined);
  const parsed = parseMarkdown(text, last.current, streaming);
  last.current = parsed;
  return (
    <div className={classNames("acp-markdown", className)}>
      {parsed.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are appended, never moved
        <Block key={index} block={block} renderCode={renderCode} />
      ))}
      {parsed.rest !== "" && (
        <Rest text={plainText(prefixOf(parsed.rest, MAX_REST))} missing={Math.max(0, parsed.rest.length - MAX_REST)} />
      )}
    </div>
  );
}

const MAX_PIECE = 8_192;

/**
 * Shows the text after the part that is parsed as Markdown. A text that would take too long to draw is cut. The text is
 * divided into pieces, because a browser computes all lines of a block again when the block's text becomes longer.
 */
const Rest = memo(function Rest({ text, missing }: { readonly text: string; readonly missing: number }): ReactNode {
  return (
    <>
      <pre tabIndex={0}>
        {piecesOf(text).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are appended, never moved
          <span key={index} style={{ display: "block" }}>
            {piece}
          </span>
        ))}
      </pre>
      {missing > 0 && <p className="acp-note">{`… ${missing} more characters`}</p>}
    </>
  );
});

/** Splits a text into pieces of at most {@link MAX_PIECE} characters, so that only the last changes when it grows. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = start + MAX_PIECE;
    const line = limit < text.length ? text.lastIndexOf("\n", limit - 1) : -1;
    const piece = line >= start ? text.slice(start, line + 1) : prefixOf(text.slice(start), MAX_PIECE);
    pieces.push(piece);
    start += piece.length;
  }
  return pieces;
}

const Block = memo(function Block(props: {
  readonly block: MarkdownBlock;
  readonly renderCode: RenderCode;
}): ReactNode {
  return renderTokens(props.block.tokens, props.renderCode);
});

function preformatted(code: string, language: string | undefined): ReactNode {
  return (
    <pre className="acp-code" data-language={language} tabIndex={0}>
      <code>{code}</code>
    </pre>
  );
}
