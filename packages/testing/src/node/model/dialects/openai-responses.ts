import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { type Json, type ModelReply, objectsIn, outputSchemaAt, textOf } from "../model-request.js";
import { type Dialect, event, type Frame, spokenBy, tokensOf } from "./dialect.js";

/** The API Responses of OpenAI. */
export const openAiResponses: Dialect = {
  read(body) {
    const items: readonly Json[] =
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : objectsIn(body.input);
    const turns = items.map((item) => {
      if (item.type === "function_call_output") return { from: "tool" as const, text: textOf(item.output) };
      return { from: item.role === "user" ? ("user" as const) : ("model" as const), text: textOf(item.content) };
    });
    return {
      api: "openai-responses",
      model: String(body.model),
      ...spokenBy(turns),
      tools: objectsIn(body.tools).flatMap(({ type, name, parameters }) =>
        type === "function" ? [{ name: String(name), schema: isJsonObject(parameters) ? parameters : {} }] : [],
      ),
      ...outputSchemaAt(body, "text", "format", "schema"),
      stream: body.stream === true,
    };
  },
  *frames(request, reply, id) {
    let sequence = 0;
    const send = (type: string, rest: object): Frame => ({
      text: event({ type, sequence_number: sequence++, ...rest }, type),
    });
    const response = { ...openAiResponses.whole(request, {}, id), status: "in_progress" };
    yield send("response.created", { response });
    const output = itemsOf(reply, id);
    for (const [index, item] of output.entries()) {
      const place = { item_id: item.id, output_index: index };
      if (item.type === "message") {
        const part = { type: "output_text", text: "", annotations: [] };
        yield send("response.output_item.added", {
          output_index: index,
          item: { ...item, status: "in_progress", content: [] },
        });
        yield send("response.content_part.added", { ...place, content_index: 0, part });
        for (const delta of reply.text ?? []) {
          yield { ...send("response.output_text.delta", { ...place, content_index: 0, delta }), isText: true };
        }
        const text = reply.text?.join("") ?? "";
        yield send("response.output_text.done", { ...place, content_index: 0, text });
        yield send("response.content_part.done", { ...place, content_index: 0, part: { ...part, text } });
      } else {
        yield send("response.output_item.added", {
          output_index: index,
          item: { ...item, status: "in_progress", arguments: "" },
        });
        yield send("response.function_call_arguments.delta", { ...place, delta: item.arguments });
        yield send("response.function_call_arguments.done", { ...place, arguments: item.arguments });
      }
      yield send("response.output_item.done", { output_index: index, item });
    }
    yield send("response.completed", { response: openAiResponses.whole(request, reply, id) });
  },
  whole({ model }, reply, id) {
    const tokens = tokensOf(reply);
    return {
      id,
      object: "response",
      created_at: 0,
      status: "completed",
      model,
      output: itemsOf(reply, id),
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: tokens + 1,
      },
    };
  },
  error: (status, message) => ({ error: { message, type: "server_error", code: String(status) } }),
};

function itemsOf({ text, calls = [] }: ModelReply, id: string): readonly Json[] {
  const content = [{ type: "output_text", text: text?.join("") ?? "", annotations: [] }];
  const message = { type: "message", id: `msg_${id}`, status: "completed", role: "assistant", content };
  return [
    ...(text === undefined ? [] : [message]),
    ...calls.map(({ name, input }, index) => ({
      type: "function_call",
      id: `fc_${id}_${index}`,
      call_id: `call_${id}_${index}`,
      name,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ];
}
