import { CapabilityError } from "@acp-kit/protocol";
import type { ContentBlock } from "@acp-kit/schema";
import type { ClientPeer } from "../client-peer.js";

/** What can be prompted: text, or content blocks. */
export type PromptInput = string | readonly ContentBlock[];

const needed: Readonly<Record<string, string>> = {
  image: "agentCapabilities.promptCapabilities.image",
  audio: "agentCapabilities.promptCapabilities.audio",
  resource: "agentCapabilities.promptCapabilities.embeddedContext",
};

/** The blocks of a prompt. Throws a `CapabilityError` for a kind of block that the agent did not announce. */
export function promptBlocks(peer: ClientPeer, input: PromptInput): ContentBlock[] {
  if (typeof input === "string") return [{ type: "text", text: input }];
  for (const { type } of input) {
    const capability = needed[type];
    if (capability !== undefined && !peer.offers(capability)) {
      throw new CapabilityError(
        "session/prompt",
        capability,
        `The agent takes no ${type} blocks: it did not advertise ${capability}`,
      );
    }
  }
  return [...input];
}
