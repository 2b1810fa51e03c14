import type * as v2 from "@acp-kit/types/v2";
import { joinedText } from "../codec/content.js";
import type { Relayed } from "./one-way.js";

/** A prompt of a client of version 2. */
export interface HeldPrompt {
  readonly params: object;
  readonly prompt: readonly v2.ContentBlock[];
  readonly request: Relayed;
}

/** The turn that an agent of version 1 runs. */
export class V1AgentTurn {
  readonly #text: string;
  readonly #blocks: ReadonlySet<string>;
  #echoed = "";
  /** Whether the client has cancelled the turn. */
  isCancelled = false;
  /** Whether the client got the end of the turn. After a cancellation this can be before the agent's response. */
  isEnded = false;

  constructor(prompt: readonly v2.ContentBlock[]) {
    this.#text = joinedText(prompt as readonly v2.IncomingContentBlock[]);
    this.#blocks = new Set(prompt.map((block) => JSON.stringify(block)));
  }

  /** Returns whether a chunk repeats the prompt, as some agents do. The bridge has sent the user message itself. */
  isEcho(content: v2.ContentBlock): boolean {
    if (content.type !== "text") return this.#blocks.has(JSON.stringify(content));
    const echoed = this.#echoed + (content as v2.TextContentBlock).text;
    if (!this.#text.startsWith(echoed)) return false;
    this.#echoed = echoed;
    return true;
  }
}
