import type { TranscriptTerminal } from "@acp-kit/client";
import type { IncomingContentBlock, IncomingToolCallContent } from "@acp-kit/types";
import { isKnownContentBlock } from "@acp-kit/types";

/** A content block, in the types of the AI SDK. */
export type ShownBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string }
  | { readonly type: "link"; readonly url: string; readonly title: string }
  | { readonly type: "unknown"; readonly block: unknown };

/** The output of a tool call, in the types of the AI SDK. */
export type ShownContent =
  | ShownBlock
  | { readonly type: "diff"; readonly path: string; readonly oldText?: string; readonly newText: string }
  | ({ readonly type: "terminal"; readonly terminalId: string } & Partial<
      Pick<TranscriptTerminal, "command" | "cwd" | "output" | "truncated" | "exit">
    >);

/** The terminals of a session, by their ids. */
export type ShownTerminals = Readonly<Record<string, TranscriptTerminal>>;

/** Converts a content block to the AI SDK's types. */
export function shownBlock(block: IncomingContentBlock): ShownBlock {
  if (!isKnownContentBlock(block)) {
    const { text } = block as { readonly text?: unknown };
    return typeof text === "string" ? { type: "text", text } : { type: "unknown", block };
  }
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: "file", mediaType: block.mimeType, data: block.data };
    case "resource_link":
      return { type: "link", url: block.uri, title: block.title ?? block.name };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { type: "text", text: resource.text };
      return { type: "file", mediaType: resource.mimeType ?? "application/octet-stream", data: resource.blob };
    }
  }
}

/** Converts the content of a tool call to the AI SDK's types. A terminal becomes its command, output and exit. */
export function shownContent(
  contents: readonly IncomingToolCallContent[],
  terminals: ShownTerminals = {},
): ShownContent[] {
  return contents.map((one): ShownContent => {
    if (one.type === "content")
      return shownBlock((one as Extract<IncomingToolCallContent, { type: "content" }>).content);
    if (one.type === "terminal") return shownTerminal(String((one as { terminalId?: unknown }).terminalId), terminals);
    if (one.type !== "diff") return { type: "unknown", block: one };
    const { path, oldText, newText } = one as { path: string; oldText?: string | null; newText: string };
    return { type: "diff", path, ...(oldText != null && { oldText }), newText };
  });
}

/** Returns a terminal with its output, because an application can't look the id of an agent's terminal up. */
export function shownTerminal(terminalId: string, terminals: ShownTerminals): ShownContent {
  const terminal = Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
  const { owner: _, released: __, ...shown } = terminal ?? { terminalId };
  return { type: "terminal", ...shown };
}
