import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { type Json, type ModelReply, objectsIn, outputSchemaAt, textOf } from "../model-request.js";
import { type Dialect, event, spokenBy, tokensOf } from "./dialect.js";

/** The Gemini API of Google. */
export const gemini: Dialect = {
  read(body, path) {
    const turns = objectsIn(body.contents).flatMap(({ role, parts }) => [
      ...objectsIn(parts).flatMap(({ functionResponse }) =>
        isJsonObject(functionResponse)
          ? [{ from: "tool" as const, text: JSON.stringify(functionResponse.response) }]
          : [],
      ),
      { from: role === "model" ? ("model" as const) : ("user" as const), text: textOf(parts) },
    ]);
    const declared = objectsIn(body.tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));
    return {
      api: "gemini",
      model: /models\/([^:/]+)/.exec(path)?.[1] ?? "",
      ...spokenBy(turns),
      tools: declared.map(({ name, parameters, parametersJsonSchema }) => {
        const schema = parametersJsonSchema ?? parameters;
        return { name: String(name), schema: isJsonObject(schema) ? schema : {} };
      }),
      ...outputSchemaAt(body, "generationConfig", "responseSchema"),
      ...outputSchemaAt(body, "generationConfig", "responseJsonSchema"),
      stream: path.includes(":streamGenerateContent"),
    };
  },
  *frames({ model }, reply) {
    const thought = reply.thought === undefined ? [] : [{ text: reply.thought, thought: true }];
    if (thought.length > 0) yield { text: event(response(model, thought)) };
    for (const text of reply.text ?? []) yield { text: event(response(model, [{ text }])), isText: true };
    yield { text: event(response(model, callsOf(reply), reply)) };
  },
  whole: ({ model }, reply) =>
    response(model, [...(reply.text ? [{ text: reply.text.join("") }] : []), ...callsOf(reply)], reply),
  error: (status, message) => ({ error: { code: status, message, status: "INTERNAL" } }),
};

function callsOf({ calls = [] }: ModelReply): readonly Json[] {
  return calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
}

/** Creates a response or a piece of one. Only the last or a whole one has `reply`: its reason and usage. */
function response(modelVersion: string, parts: readonly Json[], reply?: ModelReply): Json {
  const tokens = reply ? tokensOf(reply) : 0;
  const usage = { promptTokenCount: 1, candidatesTokenCount: tokens, totalTokenCount: tokens + 1 };
  const content = { role: "model", parts: parts.length > 0 ? parts : [{ text: "" }] };
  const candidate = { content, index: 0, ...(reply && { finishReason: "STOP" }) };
  return { candidates: [candidate], modelVersion, ...(reply && { usageMetadata: usage }) };
}
