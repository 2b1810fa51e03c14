import { CapabilityError } from "@acp-kit/protocol";
import type { ContentBlock } from "@acp-kit/types";
import { decodePromptRequest } from "@acp-kit/types/decode";
import { checkSent } from "../check-sent.js";
import type { ClientPeer } from "../client-peer.js";
import { nameOf } from "./file-uri.js";
import type { PromptBuilder } from "./prompt-builder.js";

/** The content of a prompt: text, content blocks, or a builder that `prompt()` created. */
export type PromptInput = string | readonly ContentBlock[] | PromptBuilder;

/**
 * The behaviour of the client for content blocks of a kind that the agent did not advertise. With `reject`, the client
 * rejects the prompt and sends nothing. With `link`, the client sends a link instead of an embedded resource or an
 * image that has a URI; for any other image, and for audio, it rejects the prompt.
 */
export type UnsupportedBlocks = "reject" | "link";

const needed: Readonly<Record<string, string>> = {
  image: "agentCapabilities.promptCapabilities.image",
  audio: "agentCapabilities.promptCapabilities.audio",
  resource: "agentCapabilities.promptCapabilities.embeddedContext",
};

/**
 * Returns the content blocks of a prompt; if `unsupported` is `link`, links replace blocks that the agent doesn't
 * accept.
 *
 * @throws {TypeError} for a prompt that is no text and no list of content blocks.
 * @throws {CapabilityError} for a kind of block that the agent did not advertise.
 */
export function promptBlocks(
  peer: Pick<ClientPeer, "offers" | "report">,
  input: PromptInput,
  unsupported: UnsupportedBlocks = "reject",
): ContentBlock[] {
  if (typeof input === "string") return [{ type: "text", text: input }];
  const blocks = typeof input === "object" && input !== null && "blocks" in input ? input.blocks : input;
  checkSent("session/prompt", decodePromptRequest, { sessionId: "", prompt: blocks });
  return blocks.map((block) => {
    const { type } = block;
    const capability = Object.hasOwn(needed, type) ? needed[type] : undefined;
    if (capability === undefined || peer.offers(capability)) return block;
    const link = unsupported === "link" ? linkTo(block) : undefined;
    if (link === undefined) {
      const message = `The agent accepts no ${type} blocks: it did not advertise ${capability}`;
      throw new CapabilityError("session/prompt", capability, message);
    }
    peer.report({
      code: "prompt_degraded",
      message: `The agent accepts no ${type} blocks: the client sent a link instead`,
      data: link,
    });
    return link;
  });
}

function linkTo(block: ContentBlock): ContentBlock | undefined {
  if (block.type !== "resource" && block.type !== "image") return undefined;
  const { uri, mimeType } = block.type === "resource" ? block.resource : block;
  if (!uri) return undefined;
  const { annotations, _meta } = block;
  return {
    type: "resource_link",
    uri,
    name: nameOf(uri),
    ...(mimeType && { mimeType }),
    ...(annotations && { annotations }),
    ...(_meta && { _meta }),
  };
}
