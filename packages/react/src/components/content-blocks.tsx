import { prefixOf } from "@acp-kit/protocol/internal";
import type { IncomingContentBlock } from "@acp-kit/types";
import { memo, type ReactElement, type ReactNode } from "react";
import { fileLinkOf, OpenableFile } from "./file-links.js";
import { imageSource } from "./image-size.js";
import { Markdown } from "./markdown/markdown.js";
import type { RenderCode } from "./markdown/tokens.js";
import { plainLine, plainText, safeHref } from "./plain-text.js";

/** Props of {@link ContentBlocks}. */
export interface ContentBlocksProps {
  readonly content: readonly IncomingContentBlock[];
  /** Whether more of the content will follow. */
  readonly streaming?: boolean;
  readonly renderCode?: RenderCode;
}

const MAX_EMBEDDED = 20_000;

/** Shows text as Markdown, images as images, and other blocks by name, linked if the address is safe. */
export function ContentBlocks({ content, streaming = false, renderCode }: ContentBlocksProps): ReactElement {
  return (
    <>
      {content.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are appended, never moved
        <div key={index} className={`acp-block acp-block-${kindOf(block)}`}>
          {block.type === "text" ? (
            <Markdown
              text={String(block.text)}
              streaming={streaming && index === content.length - 1}
              {...(renderCode && { renderCode })}
            />
          ) : (
            otherBlock(block)
          )}
        </div>
      ))}
    </>
  );
}

function kindOf({ type }: IncomingContentBlock): string {
  return /^[a-z_]{1,20}$/.test(type) ? type : "unknown";
}

function otherBlock(block: IncomingContentBlock): ReactNode {
  const members = block as { type: string } & Readonly<Record<string, unknown>>;
  switch (members.type) {
    case "image":
      return <AgentImage mimeType={members.mimeType} data={members.data} />;
    case "audio":
      return `♪ ${plainLine(members.mimeType, 60)}`;
    case "resource_link":
      return file(members.title ?? members.name, members.uri);
    case "resource": {
      const { uri, text } = Object(members.resource) as Readonly<Record<string, unknown>>;
      return (
        <details>
          <summary>{file(undefined, uri)}</summary>
          {typeof text === "string" && <pre tabIndex={0}>{plainText(prefixOf(text, MAX_EMBEDDED))}</pre>}
        </details>
      );
    }
    default:
      return `[${plainLine(members.type, 60)}]`;
  }
}

/** An image of the agent. It may have megabytes, so it is examined once and not in each frame. */
const AgentImage = memo(function AgentImage(props: { readonly mimeType: unknown; readonly data: unknown }): ReactNode {
  const source = imageSource(props.mimeType, props.data);
  const type = plainLine(props.mimeType, 60);
  if (source === undefined) return `🖼 ${type} (not shown)`;
  return <img className="acp-image" src={source} alt={`From the agent, ${type}`} />;
});

function file(name: unknown, uri: unknown): ReactNode {
  const text = `📎 ${plainLine(name, 200) || plainLine(uri, 200)}`;
  const href = safeHref(uri);
  if (href === undefined) {
    return (
      <OpenableFile link={fileLinkOf(uri)}>
        <bdi title={plainLine(uri, 500)}>{text}</bdi>
      </OpenableFile>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {text}
    </a>
  );
}
