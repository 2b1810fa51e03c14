import { type IncomingContentBlock, isKnownContentBlock } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

/** Describes the received content blocks. This command handles every prompt that names no other command. */
export const echo: EverythingCommand = {
  name: "echo",
  description: "Describe the content blocks of the prompt, and send them back",
  hint: "<text>",
  async play(scene) {
    const { prompt } = scene.turn;
    const list = prompt.map((block, index) => `${index + 1}. ${described(block)}`).join("\n");
    const count = prompt.length === 1 ? "1 content block" : `${prompt.length} content blocks`;
    await scene.sendText(`I received ${count}:\n\n${list}\n\nSay /help to see what I can do.`);
    for (const block of prompt) {
      if (block.type !== "text" && isKnownContentBlock(block)) {
        await scene.turn.message(block, { messageId: scene.messageId() });
      }
    }
  },
};

function described(block: IncomingContentBlock): string {
  if (!isKnownContentBlock(block)) return `a block of the unknown type ${block.type}`;
  switch (block.type) {
    case "text":
      return `text: ${block.text}`;
    case "image":
      return `image: ${block.mimeType}, ${block.data.length} characters of base64`;
    case "audio":
      return `audio: ${block.mimeType}, ${block.data.length} characters of base64`;
    case "resource_link":
      return `link to ${block.name}: ${block.uri}`;
    case "resource": {
      const { resource } = block;
      const size = "text" in resource ? `${resource.text.length} characters` : `${resource.blob.length} of base64`;
      return `resource ${resource.uri}: ${size}`;
    }
  }
}
