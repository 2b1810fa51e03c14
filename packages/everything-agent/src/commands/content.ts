import { content as wrapped } from "@acp-kit/agent";
import type { ContentBlock } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";
import { png, wav } from "./media.js";

/** One block of every kind. Prompt capabilities restrict only prompts, so an agent may send every kind. */
const blocks: readonly ContentBlock[] = [
  { type: "text", text: "Some *Markdown*, for the user.", annotations: { audience: ["user"], priority: 1 } },
  { type: "image", mimeType: "image/png", data: png, uri: "file:///dot.png" },
  { type: "audio", mimeType: "audio/wav", data: wav },
  {
    type: "resource_link",
    uri: "https://agentclientprotocol.com/protocol/v1/content",
    name: "content",
    title: "Content blocks",
    description: "The page about them",
    mimeType: "text/html",
    size: 4_096,
  },
  { type: "resource", resource: { uri: "file:///notes.md", mimeType: "text/markdown", text: "# Notes\n" } },
  { type: "resource", resource: { uri: "file:///dot.png", mimeType: "image/png", blob: png } },
];

/** Sends every kind of content block, as messages and as content of a tool call. */
export const content: EverythingCommand = {
  name: "content",
  description: "Send images, audio, resource links and resources, in messages and in a tool call",
  async play(scene) {
    for (const block of blocks) await scene.turn.message(block, { messageId: scene.messageId() });
    await scene.tool({ kind: "other", title: "Bring content of every kind" }, () => ({
      content: blocks.map((block) => wrapped(block)),
    }));
  },
};
