import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { type ModelReply, objectsIn, outputSchemaAt, textOf } from "../model-request.js";
import { type Dialect, event, spokenBy, tokensOf } from "./dialect.js";

/** The API Chat Completions of OpenAI, and the APIs that are compatible with it. */
export const openAiChat: Dialect = {
  read(body) {
    const turns = objectsIn(body.messages).map(({ role, content }) => ({
      from: role === "user" ? ("user" as const) : role === "tool" ? ("tool" as const) : ("model" as const),
      text: textOf(content),
    }));
    return {
      api: "openai-chat",
      model: String(body.model),
      ...spokenBy(turns),
      tools: objectsIn(body.tools).flatMap(({ function: tool }) =>
        isJsonObject(tool)
          ? [{ name: String(tool.name), schema: isJsonObject(tool.parameters) ? tool.parameters : {} }]
          : [],
      ),
      ...outputSchemaAt(body, "response_format", "json_schema", "schema"),
      stream: body.stream === true,
    };
  },
  *frames({ model }, reply, id) {
    const chunk = (delta: object, finish: string | null = null): string =>
      event({
        id,
        object: "chat.completion.chunk",
        created: 0,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    yield { text: chunk({ role: "assistant", content: "" }) };
    if (reply.thought !== undefined) yield { text: chunk({ reasoning_content: reply.thought }) };
    for (const content of reply.text ?? []) yield { text: chunk({ content }), isText: true };
    const calls = callsOf(reply, id);
    if (calls.length > 0) yield { text: chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) }) };
    yield { text: chunk({}, calls.length > 0 ? "tool_calls" : "stop") };
    const usage = { id, object: "chat.completion.chunk", created: 0, model, choices: [], usage: usageOf(reply) };
    yield { text: `${event(usage)}data: [DONE]\n\n` };
  },
  whole({ model }, reply, id) {
    const calls = callsOf(reply, id);
    const message = {
      role: "assistant",
      content: reply.text?.join("") ?? null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choice = { index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
    return { id, object: "chat.completion", created: 0, model, choices: [choice], usage: usageOf(reply) };
  },
  error: (status, message) => ({ error: { message, type: "server_error", code: status } }),
};

function callsOf({ calls = [] }: ModelReply, id: string): readonly object[] {
  return calls.map(({ name, input }, index) => ({
    id: `call_${id}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function usageOf(reply: ModelReply): object {
  const tokens = tokensOf(reply);
  return { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 };
}
