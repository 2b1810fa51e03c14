import type * as v1 from "@acp-kit/types";
import { isKnownToolCallContent as isKnownV1 } from "@acp-kit/types";
import {
  type Diff,
  type IncomingToolCallContent,
  isKnownToolCallContent,
  type TerminalToolCallContent,
  type ToolCallContent,
} from "@acp-kit/types/v2";
import { contentToV1, contentToV2 } from "./content.js";
import { diffToV1, diffToV2 } from "./diff.js";
import type { Lost } from "./loss.js";
import type { JsonObject } from "./objects.js";

/**
 * Converts one item of a tool call's content. A diff can give several items.
 *
 * @param terminal converts a reference to a terminal of the agent, which version 1 does not have.
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#content
 */
export function toolContentToV1(
  item: IncomingToolCallContent,
  terminal: (item: TerminalToolCallContent) => v1.ToolCallContent[],
  lost: Lost,
): v1.ToolCallContent[] {
  if (!isKnownToolCallContent(item)) {
    lost("content");
    const text = `[Content of type ${String(item.type)} is not supported]`;
    return [{ type: "content", content: { type: "text", text } }];
  }
  if (item.type === "diff") return diffToV1(item, lost);
  if (item.type === "terminal") return terminal(item);
  return [{ ...item, content: contentToV1(item.content, lost) }];
}

/** The member of `_meta` with the diff of version 2 from which content of version 1 was made. */
export const diffMember = "acp-kit/diff";

/**
 * Converts the content of a tool call of version 1. Unknown items are passed unchanged.
 *
 * @param isOwn whether this process has created the content, so that it contains no diff of version 2 that is invalid.
 */
export function toolContentToV2(
  content: readonly v1.IncomingToolCallContent[],
  lost: Lost,
  isOwn: boolean,
): ToolCallContent[] {
  return content.flatMap((item): ToolCallContent[] => {
    const diff = isOwn ? (item._meta as JsonObject | undefined)?.[diffMember] : undefined;
    if (diff === undefined) return [itemToV2(item, lost)];
    return diff === null ? [] : [{ type: "diff", ...(diff as Diff) }];
  });
}

function itemToV2(item: v1.IncomingToolCallContent, lost: Lost): ToolCallContent {
  if (!isKnownV1(item) || item.type === "terminal") return item as ToolCallContent;
  if (item.type === "diff") return diffToV2(item);
  return { ...item, content: contentToV2(item.content, lost) } as ToolCallContent;
}
