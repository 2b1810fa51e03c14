import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { objectsIn, outputSchemaAt, textOf } from "../model-request.js";
import { type Dialect, event, spokenBy, tokensOf } from "./dialect.js";

const named = (type: string, rest: object): string => event({ type, ...rest }, type);

/** The API Messages of Anthropic. */
export const anthropic: Dialect = {
  read(body) {
    const turns = objectsIn(body.messages).flatMap(({ role, content }) => {
      const results = objectsIn(content).filter(({ type }) => type === "tool_result");
      const from = role === "user" ? ("user" as const) : ("model" as const);
      return [
        ...results.map((each) => ({ from: "tool" as const, text: textOf(each.content) })),
        { from, text: textOf(content) },
      ];
    });
    return {
      api: "anthropic",
      model: String(body.model),
      ...spokenBy(turns),
      tools: objectsIn(body.tools).map(({ name, input_schema: schema }) => ({
        name: String(name),
        schema: isJsonObject(schema) ? schema : {},
      })),
      ...outputSchemaAt(body, "output_format", "schema"),
      ...outputSchemaAt(body, "output_config", "format", "schema"),
      stream: body.stream === true,
    };
  },
  *frames({ model }, reply, id) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
    yield { text: named("message_start", { message: { ...message, stop_sequence: null } }) };
    let index = 0;
    if (reply.thought !== undefined) {
      const block = { type: "thinking", thinking: "", signature: "" };
      yield { text: named("content_block_start", { index, content_block: block }) };
      yield delta(index, { type: "thinking_delta", thinking: reply.thought });
      yield delta(index, { type: "signature_delta", signature: "c2lnbmF0dXJl" });
      yield { text: named("content_block_stop", { index: index++ }) };
    }
    if (reply.text !== undefined) {
      yield { text: named("content_block_start", { index, content_block: { type: "text", text: "" } }) };
      for (const text of reply.text) yield { ...delta(index, { type: "text_delta", text }), isText: true };
      yield { text: named("content_block_stop", { index: index++ }) };
    }
    for (const { name, input } of reply.calls ?? []) {
      const block = { type: "tool_use", id: `toolu_${id}_${index}`, name, input: {} };
      yield { text: named("content_block_start", { index, content_block: block }) };
      yield delta(index, { type: "input_json_delta", partial_json: JSON.stringify(input) });
      yield { text: named("content_block_stop", { index: index++ }) };
    }
    const stop = { stop_reason: reply.calls?.length ? "tool_use" : "end_turn", stop_sequence: null };
    yield { text: named("message_delta", { delta: stop, usage: { output_tokens: tokensOf(reply) } }) };
    yield { text: named("message_stop", {}) };
  },
  whole({ model }, reply, id) {
    const text = reply.text === undefined ? [] : [{ type: "text", text: reply.text.join("") }];
    const calls = (reply.calls ?? []).map((call, index) => ({ type: "tool_use", id: `toolu_${id}_${index}`, ...call }));
    return {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [...text, ...calls],
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: tokensOf(reply) },
    };
  },
  error: (_status, message) => ({ type: "error", error: { type: "api_error", message } }),
};

const delta = (index: number, delta: object): { text: string } => ({
  text: named("content_block_delta", { index, delta }),
});
