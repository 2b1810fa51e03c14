import { memo, type ReactElement, type ReactNode, useRef } from "react";
import { classNames } from "../class-names.js";
import { plainText } from "../plain-text.js";
import { MAX_REST, type MarkdownBlock, type ParsedMarkdown, parseMarkdown } from "./blocks.js";
import { type RenderCode, renderTokens } from "./tokens.js";

/** Props of {@link Markdown}. */
export interface MarkdownProps {
  /** The text so far. When it grows, only its last blocks are read and rendered again. */
  readonly text: string;
  /** Whether more text will follow: marks that are open at its end, such as a fence, then count as closed. */
  readonly streaming?: boolean;
  /** Renders code blocks, for example with highlighted syntax. By default they are `<pre><code>`. */
  readonly renderCode?: RenderCode;
  readonly className?: string;
}

/**
 * Renders an agent's Markdown (GitHub's) while it streams. The result is inert: HTML in the text is shown as text, only
 * `http:`, `https:` and `mailto:` links can be opened, and images are links and never loaded.
 */
export function Markdown({
  text,
  streaming = false,
  renderCode = preformatted,
  className,
}: MarkdownProps): ReactElement {
  const last = useRef<ParsedMarkdown | undefined>(undefined);
  const parsed = parseMarkdown(text, last.current, streaming);
  last.current = parsed; // a cache: rendering without it gives the same
  return (
    <div className={classNames("acp-markdown", className)}>
      {parsed.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are appended, never moved
        <Block key={index} block={block} renderCode={renderCode} />
      ))}
      {parsed.rest !== "" && (
        <Rest text={plainText(parsed.rest.slice(0, MAX_REST))} missing={Math.max(0, parsed.rest.length - MAX_REST)} />
      )}
    </div>
  );
}

/** What follows the part that is read as Markdown, cut where drawing it would take too long. */
const Rest = memo(function Rest({ text, missing }: { readonly text: string; readonly missing: number }): ReactNode {
  return (
    <>
      <pre tabIndex={0}>{text}</pre>
      {missing > 0 && <p className="acp-note">{`… ${missing} more characters`}</p>}
    </>
  );
});

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
