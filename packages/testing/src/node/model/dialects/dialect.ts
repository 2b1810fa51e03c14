import type { Json, ModelReply, ModelRequest } from "../model-request.js";

/** One server-sent event of a streamed response. */
export interface Frame {
  readonly text: string;
  /** Whether the event contains a piece of the reply's text. A slow reply pauses after each of these events. */
  readonly isText?: boolean;
}

/** The functions that read the requests of one model API and write its responses. */
export interface Dialect {
  read(body: Json, path: string): ModelRequest;
  /** Returns a streamed response, as server-sent events. */
  frames(request: ModelRequest, reply: ModelReply, id: string): Iterable<Frame>;
  /** Returns a response that is not streamed. */
  whole(request: ModelRequest, reply: ModelReply, id: string): Json;
  error(status: number, message: string): Json;
}

/** Creates a server-sent event. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Returns all texts of the user, and the results of tools that were called after the last of them. */
export function spokenBy(
  turns: readonly { readonly from: "user" | "tool" | "model"; readonly text: string }[],
): Pick<ModelRequest, "prompts" | "results"> {
  const last = turns.findLastIndex(({ from, text }) => from === "user" && text !== "");
  return {
    prompts: turns.filter(({ from, text }) => from === "user" && text !== "").map(({ text }) => text),
    results: turns.slice(last + 1).flatMap(({ from, text }) => (from === "tool" ? [text] : [])),
  };
}

/** Returns a plausible number of tokens for a text, which is never 0. */
export function tokensOf({ text = [], thought = "" }: ModelReply): number {
  return Math.ceil((text.join("").length + thought.length) / 4) + 1;
}
