import type { Json, ModelReply, ModelRequest } from "../model-request.js";

/** A piece of a streamed response. */
export interface Frame {
  readonly text: string;
  /** A piece of the reply's text: the pause of a slow reply comes after it. */
  readonly isText?: boolean;
}

/** How one API reads requests and writes responses. */
export interface Dialect {
  read(body: Json, path: string): ModelRequest;
  /** A streamed response, as server-sent events. */
  frames(request: ModelRequest, reply: ModelReply, id: string): Iterable<Frame>;
  /** A response that is not streamed. */
  whole(request: ModelRequest, reply: ModelReply, id: string): Json;
  error(status: number, message: string): Json;
}

/** A server-sent event. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The texts of the user and the results since the last of them, from turns in order. */
export function spokenBy(
  turns: readonly { readonly from: "user" | "tool" | "model"; readonly text: string }[],
): Pick<ModelRequest, "prompts" | "results"> {
  const last = turns.findLastIndex(({ from, text }) => from === "user" && text !== "");
  return {
    prompts: turns.filter(({ from, text }) => from === "user" && text !== "").map(({ text }) => text),
    results: turns.slice(last + 1).flatMap(({ from, text }) => (from === "tool" ? [text] : [])),
  };
}

/** A count of tokens that is plausible, and never 0. */
export function tokensOf({ text = [], thought = "" }: ModelReply): number {
  return Math.ceil((text.join("").length + thought.length) / 4) + 1;
}
