// biome-ignore-all lint/suspicious/noExplicitAny: responses of four APIs are taken apart here, each of another shape
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "./model-request.js";
import { plainModel } from "./plain-model.js";
import { type ModelServer, startModel } from "./start-model.js";

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const fileTool = { type: "object", properties: { file_path: { type: "string" }, content: { type: "string" } } };
const schema = { ...fileTool, required: ["file_path", "content"] };
const pong = "Answer with the single word PONG. Use no tools.";
const write = "Write the text hello into the file /work/a.txt with your file writing tool.";

interface Api {
  readonly api: string;
  readonly path: (stream: boolean) => string;
  readonly body: (text: string, stream: boolean, tools: boolean) => object;
  /** The text, and the inputs of the calls, of a response or of its events. */
  readonly read: (parts: readonly any[]) => { text: string; calls: readonly unknown[] };
}

const join = (parts: readonly unknown[]): string => parts.filter((each) => typeof each === "string").join("");

const apis: readonly Api[] = [
  {
    api: "anthropic",
    path: () => "/v1/messages",
    body: (text, stream, tools) => ({
      model: "m",
      stream,
      messages: [{ role: "user", content: [{ type: "text", text }] }],
      ...(tools && { tools: [{ name: "Write", input_schema: schema }] }),
    }),
    read: (parts) => ({
      text: join(parts.flatMap((each) => [each.delta?.text, ...(each.content ?? []).map(({ text }: any) => text)])),
      calls: parts.flatMap((each) =>
        each.delta?.partial_json
          ? [JSON.parse(each.delta.partial_json)]
          : (each.content ?? []).flatMap(({ input }: any) => input ?? []),
      ),
    }),
  },
  {
    api: "openai-chat",
    path: () => "/v1/chat/completions",
    body: (text, stream, tools) => ({
      model: "m",
      stream,
      messages: [{ role: "user", content: text }],
      ...(tools && { tools: [{ type: "function", function: { name: "write_file", parameters: schema } }] }),
    }),
    read: (parts) => {
      const messages = parts.flatMap(({ choices }) => choices.map(({ delta, message }: any) => delta ?? message));
      return {
        text: join(messages.map(({ content }) => content)),
        calls: messages.flatMap(({ tool_calls: calls = [] }) =>
          calls.map((call: any) => JSON.parse(call.function.arguments)),
        ),
      };
    },
  },
  {
    api: "openai-responses",
    path: () => "/v1/responses",
    body: (text, stream, tools) => ({
      model: "m",
      stream,
      input: [{ role: "user", content: [{ type: "input_text", text }] }],
      ...(tools && { tools: [{ type: "function", name: "write_file", parameters: schema }] }),
    }),
    read: (parts) => {
      const output = parts.flatMap(
        (each) => each.output ?? (each.type === "response.completed" ? each.response.output : []),
      );
      return {
        text: join(output.flatMap(({ content = [] }) => content.map(({ text }: any) => text))),
        calls: output.flatMap((item) => (item.type === "function_call" ? [JSON.parse(item.arguments)] : [])),
      };
    },
  },
  {
    api: "gemini",
    path: (stream) => `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (text, _stream, tools) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      ...(tools && { tools: [{ functionDeclarations: [{ name: "write_file", parametersJsonSchema: schema }] }] }),
    }),
    read: (parts) => {
      const all = parts.flatMap(({ candidates }) => candidates[0].content.parts);
      return {
        text: join(all.map(({ text }) => text)),
        calls: all.flatMap(({ functionCall }) => (functionCall ? [functionCall.args] : [])),
      };
    },
  },
];

async function ask({ path, body, read }: Api, text: string, stream: boolean, tools = false) {
  const response = await fetch(`${model.url}${path(stream)}`, {
    method: "POST",
    body: JSON.stringify(body(text, stream, tools)),
  });
  expect(response.status).toBe(200);
  const all = await response.text();
  const events = all.split("\n").flatMap((line) => (/^data: \{/.test(line) ? [JSON.parse(line.slice(6))] : []));
  return read(stream ? events : [JSON.parse(all)]);
}

for (const api of apis) {
  for (const stream of [true, false]) {
    const how = stream ? "streamed" : "whole";
    test(`${api.api}, ${how}: the model replies with the word, and calls the tool with input that matches its schema`, async () => {
      expect(await ask(api, pong, stream)).toEqual({ text: "PONG", calls: [] });
      const called = await ask(api, write, stream, true);
      expect(called.calls).toEqual([{ file_path: "/work/a.txt", content: "hello" }]);
      expect(model.requests.at(-1)).toMatchObject({ api: api.api, model: "m", prompts: [write], stream });
    });
  }
}

const request = (more: Partial<ModelRequest>): ModelRequest => ({
  api: "anthropic",
  model: "m",
  prompts: [],
  results: [],
  tools: [],
  stream: true,
  ...more,
});

test.each<[string, Partial<ModelRequest>, ModelReply]>([
  [
    "the model replies that it is done after the result of its tool",
    { prompts: [write], results: ["ok"] },
    { text: ["Done."] },
  ],
  ["the model replies that the tool is missing", { prompts: [write] }, { text: ["I have no tool to write."] }],
  ["the model greets after an unknown instruction", { prompts: ["Who are you?"] }, { text: ["Hello."] }],
  ["the model follows the last instruction of several", { prompts: [write, pong] }, { text: ["PONG"] }],
])("%s", (_what, given, reply) => {
  expect(plainModel(request(given))).toEqual(reply);
});

test("a plan matches the schema of the tool, with any names of members", () => {
  const items = {
    type: "object",
    properties: { content: { type: "string" }, status: { enum: ["pending", "done"] } },
    required: ["content", "status"],
  };
  const tools = [
    {
      name: "TodoWrite",
      schema: { type: "object", properties: { todos: { type: "array", items } }, required: ["todos"] },
    },
  ];
  const { calls } = plainModel(request({ prompts: ["Make a plan of three steps."], tools }));
  expect(calls?.[0]?.input).toEqual({ todos: Array(3).fill({ content: "step", status: "pending" }) });
});

test.each([
  ["anthropic", "/v1/messages", (schema: object) => ({ output_config: { format: { type: "json_schema", schema } } })],
  [
    "openai-chat",
    "/v1/chat/completions",
    (schema: object) => ({ response_format: { type: "json_schema", json_schema: { name: "x", schema } } }),
  ],
  ["openai-responses", "/v1/responses", (schema: object) => ({ text: { format: { type: "json_schema", schema } } })],
  [
    "gemini",
    "/v1beta/models/m:generateContent",
    (responseJsonSchema: object) => ({
      generationConfig: { responseMimeType: "application/json", responseJsonSchema },
    }),
  ],
])(
  "%s: the reply to a request with a JSON schema is JSON that matches the schema, not the word of the prompt",
  async (api, path, asksFor) => {
    const { body } = apis.find((each) => each.api === api) as Api;
    const properties = { reasoning: { type: "string" }, choice: { type: "STRING", enum: ["flash", "pro"] } };
    const response = await fetch(model.url + path, {
      method: "POST",
      body: JSON.stringify({ ...body(pong, false, false), ...asksFor({ type: "OBJECT", properties }) }),
    });
    expect(await response.text()).toContain(JSON.stringify(JSON.stringify({ reasoning: "step", choice: "flash" })));
  },
);

test("a slow reply ends when the client aborts it, and an error has the format of the API", async () => {
  const stop = new AbortController();
  const [chat] = apis.filter(({ api }) => api === "openai-chat");
  const body = JSON.stringify(chat?.body("Count from 1 to 2000 in words, one number per line.", true, false));
  const slow = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body, signal: stop.signal });
  const reader = slow.body?.getReader();
  await reader?.read();
  stop.abort();
  await expect(reader?.read()).rejects.toThrow();
  await using failing = await startModel({ script: () => ({ error: { status: 529, message: "Overloaded" } }) });
  const failed = await fetch(`${failing.url}/v1/messages`, { method: "POST", body: '{"model":"m","messages":[]}' });
  expect([failed.status, await failed.json()]).toEqual([
    529,
    { type: "error", error: { type: "api_error", message: "Overloaded" } },
  ]);
  const broken = await fetch(`${failing.url}/v1/messages`, { method: "POST", body: "{" });
  expect(broken.status).toBe(400);
});
