import { agentRequests, type ContentBlock, type IncomingContentBlock } from "@acp-kit/types";
import { decodePromptRequest } from "@acp-kit/types/decode";

// The types of sent messages are closed; the types of received messages are open.
export const hello: ContentBlock = { type: "text", text: "Hello" };

export function textOf(block: IncomingContentBlock): string {
  return block.type === "text" ? block.text : `[${block.type}]`;
}

/** Returns the text of a prompt, from the params of a `session/prompt`. */
export function question(params: string): string {
  return decodePromptRequest(JSON.parse(params)).prompt.map(textOf).join(" ");
}

export const opens: readonly string[] | undefined = agentRequests["session/load"].capability; // ["agent.loadSession"]
