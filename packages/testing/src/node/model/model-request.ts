/** An object that came as JSON. */
export type Json = { readonly [name: string]: unknown };

/** The shape in which a program speaks to a model. */
export type ModelApi = "anthropic" | "openai-chat" | "openai-responses" | "gemini";

/** A tool that the model may call. */
export interface ModelTool {
  readonly name: string;
  /** The JSON Schema of its input; empty when the request has none. */
  readonly schema: Json;
}

/** A request to the model, the same in every API. */
export interface ModelRequest {
  readonly api: ModelApi;
  /** The name of the requested model. */
  readonly model: string;
  /** The texts of the user, in order. */
  readonly prompts: readonly string[];
  /** The results of the tools that were called since the last text of the user, as text. */
  readonly results: readonly string[];
  readonly tools: readonly ModelTool[];
  /** Whether the response is streamed. */
  readonly stream: boolean;
}

/** What the model responds. */
export interface ModelReply {
  /** A text before the rest, which the user may see as thinking. */
  readonly thought?: string;
  /** The text, in the pieces in which it is streamed. */
  readonly text?: readonly string[];
  /** How long to wait after each piece of text, in milliseconds. @defaultValue 0 */
  readonly everyMs?: number;
  /** Tools to call, after the text. */
  readonly calls?: readonly { readonly name: string; readonly input: Json }[];
  /** Fail instead, with this HTTP status. */
  readonly error?: { readonly status: number; readonly message: string };
}

/** Decides what the model responds. An error that it throws is an HTTP 500. */
export type ModelScript = (request: ModelRequest) => ModelReply;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text of content that is a string, or a list of parts with a text each. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}
