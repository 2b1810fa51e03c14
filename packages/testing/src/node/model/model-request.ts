import { isJsonObject } from "@acp-kit/jsonrpc/internal";
/** An object that was parsed from JSON. */
export type Json = { readonly [name: string]: unknown };

/** The API that a program uses to call a model. */
export type ModelApi = "anthropic" | "openai-chat" | "openai-responses" | "gemini";

/** A tool that the model may call. */
export interface ModelTool {
  readonly name: string;
  /** The JSON Schema of the tool's input; empty if the request has none. */
  readonly schema: Json;
}

/** A request to the model, in the same form for all APIs. */
export interface ModelRequest {
  readonly api: ModelApi;
  /** The name of the requested model. */
  readonly model: string;
  /** The texts of the user, in order. */
  readonly prompts: readonly string[];
  /** The results of the tools that were called since the last text of the user, as texts. */
  readonly results: readonly string[];
  readonly tools: readonly ModelTool[];
  /** The JSON Schema of the response, if the request asks for JSON of a schema. */
  readonly outputSchema?: Json;
  /** Whether the response is streamed. */
  readonly stream: boolean;
}

/** The response of the scripted model. */
export interface ModelReply {
  /** A text before the response, which a program may show as the model's thinking. */
  readonly thought?: string;
  /** The text of the response, in the pieces in which it is streamed. */
  readonly text?: readonly string[];
  /** The time in milliseconds to wait after each piece of text. @defaultValue 0 */
  readonly everyMs?: number;
  /** The tools to call, after the text. */
  readonly calls?: readonly { readonly name: string; readonly input: Json }[];
  /** If set, the model responds with this error and HTTP status, and not with text or calls. */
  readonly error?: { readonly status: number; readonly message: string };
}

/** A function that decides how the scripted model responds. If it throws, the HTTP status is 500. */
export type ModelScript = (request: ModelRequest) => ModelReply;

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the member `outputSchema` of a {@link ModelRequest}, or none if the value along the path is no schema. */
export function outputSchemaAt(value: unknown, ...path: readonly string[]): Pick<ModelRequest, "outputSchema"> {
  const found = path.reduce<unknown>((each, name) => (isJsonObject(each) ? each[name] : undefined), value);
  return isJsonObject(found) ? { outputSchema: found } : {};
}

/** Returns the text of content, which is a string or a list of parts with texts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}
