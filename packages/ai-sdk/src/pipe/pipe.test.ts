import type { AgentDefinition } from "@acp-kit/agent";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { jsonSchema, streamText, tool, type UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { answering, connect, lines, play } from "../../test/connect.js";
import { calls, finish, says, scriptedModel, thinks } from "../../test/scripted-model.js";
import { answering as answeringAgent } from "./pipe.examples.js";
import { type PipeOptions, type PipeResult, pipe } from "./pipe.js";
import type { StreamPart } from "./stream-part.js";

/** An agent that sends these parts in every turn. */
function agentSending(
  parts: readonly StreamPart[] | AsyncIterable<StreamPart>,
  options: PipeOptions = {},
  results: PipeResult[] = [],
): AgentDefinition {
  return {
    info: { name: "test", version: "1" },
    newSession: () => ({ sessionId: "s1" }),
    prompt: async (turn) => {
      const stream = Symbol.asyncIterator in parts ? parts : from(parts);
      const result = await pipe(stream, turn, options);
      results.push(result);
      return result.response;
    },
  };
}

async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function sent(parts: readonly StreamPart[], options?: PipeOptions) {
  const { session } = await connect(agentSending(parts, options));
  return play(session, "Go");
}

const input = { toolCallId: "c1", toolName: "bash", input: { command: "ls" } };

describe("a stream of streamText", () => {
  test("the example of the README sends the model's text", async () => {
    const { session } = await connect(answeringAgent(scriptedModel([...says("Hello there"), finish()]).model));
    expect(lines((await play(session, "Hi")).updates)).toEqual(["says Hello ", "says there"]);
  });

  test("sends sources and files as blocks of messages", async () => {
    const { updates } = await sent([
      { type: "source", sourceType: "url", id: "1", url: "https://example.com/", title: "Example" } as StreamPart,
      { type: "source", sourceType: "document", id: "d 1", mediaType: "application/pdf", title: "Paper" } as StreamPart,
      { type: "file", file: { base64: "aGk=", mediaType: "image/png" } } as StreamPart,
      { type: "file", file: { base64: "aGk=", mediaType: "application/pdf" } } as StreamPart,
      { type: "reasoning-file", file: { base64: "aGk=", mediaType: "audio/wav" } } as StreamPart,
    ]);
    expect(updates).toMatchObject([
      { content: { type: "resource_link", uri: "https://example.com/", name: "Example" } },
      { content: { type: "resource_link", uri: "ai-sdk-source:d%201", name: "Paper", mimeType: "application/pdf" } },
      { content: { type: "image", data: "aGk=", mimeType: "image/png" } },
      { content: { type: "resource", resource: { blob: "aGk=", mimeType: "application/pdf" } } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "audio", data: "aGk=" } },
    ]);
  });

  test("announces a call once, whatever part of the call arrives first", async () => {
    const { updates } = await sent([{ type: "tool-result", ...input, output: "files" } as StreamPart]);
    expect(lines(updates)).toEqual(["tool_call c1 pending", 'tool_call_update c1 completed "files"']);
    expect(updates[0]).toMatchObject({ name: "bash", kind: "execute" });
  });

  test("sends the pieces of a tool's input if the option says so", async () => {
    const parts = [
      { type: "tool-input-start", id: "c1", toolName: "bash" },
      { type: "tool-input-delta", id: "c1", delta: '{"comm' },
    ];
    expect((await sent(parts)).updates).toHaveLength(1);
    expect((await sent(parts, { inputDeltas: true })).updates[1]).toMatchObject({
      _meta: { "ai-sdk": { inputTextDelta: '{"comm' } },
    });
  });

  test("shows the blocks of MCP tools unchanged, and values that JSON can't hold as text", async () => {
    const content = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
    const { updates } = await sent([
      { type: "tool-result", ...input, output: { content } } as StreamPart,
      { type: "tool-result", ...input, toolCallId: "c2", output: 10n } as StreamPart,
      { type: "tool-result", ...input, toolCallId: "c3", output: { a: 1 } } as StreamPart,
    ]);
    expect(updates[1]).toMatchObject({ content: [{ type: "content", content: content[0] }] });
    expect(updates[3]).toMatchObject({ rawOutput: "10", content: [{ content: { text: "10" } }] });
    expect(updates[5]).toMatchObject({ rawOutput: { a: 1 }, content: [{ content: { text: '{\n  "a": 1\n}' } }] });
  });

  test.each([
    [
      "an embedded text",
      { type: "resource", resource: { uri: "repo://a/README.md", mimeType: "text/markdown", text: "# A" } },
    ],
    ["an embedded file", { type: "resource", resource: { uri: "repo://a/logo", blob: "aGk=" } }],
    ["a link", { type: "resource_link", uri: "repo://a/b", name: "b" }],
    ["a sound", { type: "audio", data: "aGk=", mimeType: "audio/wav" }],
  ])("shows the blocks of an MCP result: %s", async (_, block) => {
    const content = [{ type: "text", text: "downloaded" }, block];
    const { updates } = await sent([{ type: "tool-result", ...input, output: { content } } as StreamPart]);
    expect(updates[1]).toMatchObject({ content: content.map((content) => ({ type: "content", content })) });
  });

  test.each([
    [
      "a block of another kind as JSON",
      {
        content: [
          { type: "text", text: "a" },
          { type: "chart", x: 1 },
        ],
      },
      ["a", '{\n  "type": "chart",\n  "x": 1\n}'],
    ],
    ["structured content without blocks", { content: [], structuredContent: { sum: 3 } }, ['{\n  "sum": 3\n}']],
    ["structured content once", { content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 } }, ["3"]],
    [
      "content that is no blocks as JSON",
      { content: [{ type: "heading" }] },
      ['{\n  "content": [\n    {\n      "type": "heading"\n    }\n  ]\n}'],
    ],
  ])("shows in an MCP result %s", async (_, output, texts) => {
    const { updates } = await sent([{ type: "tool-result", ...input, output } as StreamPart]);
    expect(updates[1]).toMatchObject({ content: texts.map((text) => ({ content: { type: "text", text } })) });
  });

  test.each(["tool-result", "tool-output-available"])("a %s with an MCP error is a failed call", async (type) => {
    const output = { isError: true, content: [{ type: "text", text: "403 Forbidden" }] };
    const { updates } = await sent([{ type, ...input, output } as StreamPart]);
    expect(updates[1]).toMatchObject({
      status: "failed",
      rawOutput: output,
      content: [{ content: output.content[0] }],
    });
    const other = await sent([{ type, ...input, output: { isError: true, rows: [] } } as StreamPart]);
    expect(other.updates[1]).toMatchObject({ status: "completed" });
  });

  test.each([
    ["data:image/png;base64,aGk=", { type: "image", data: "aGk=" }],
    ["DATA:image/png;BASE64,aGk=", { type: "image", data: "aGk=" }],
    ["data:image/png;name=a.png;base64,aGk%3D", { type: "image", data: "aGk=" }],
    ["data:image/svg+xml,%3Csvg%2F%3E", { type: "image", data: btoa("<svg/>") }],
    ["data:image/png,%E0%A4%A", { type: "resource_link", name: "image/png" }],
    ["https://example.com/a.png?b", { type: "resource_link", name: "a.png" }],
  ])("reads the address %s of a file", async (url, block) => {
    const { updates } = await sent([{ type: "file", url, mediaType: "image/png" } as never]);
    expect(updates).toMatchObject([{ content: { ...block, mimeType: "image/png" } }]);
  });

  test("takes the kind of a tool from its view, from the option kinds, or from its name", async () => {
    const named = (toolName: string) => ({ type: "tool-input-start", id: toolName, toolName }) as StreamPart;
    const { updates } = await sent([named("write_file"), named("frobnicate"), named("zap")], {
      kinds: { frobnicate: "delete" },
      views: { zap: { kind: "execute" } },
    });
    expect(updates.map((update) => (update as { kind?: string }).kind)).toEqual(["edit", "delete", "execute"]);
  });

  test("sends data that ACP has no member for in _meta", async () => {
    const start = { type: "tool-input-start", id: "c1", toolName: "search", providerExecuted: true, dynamic: true };
    const { updates } = await sent([start, { type: "custom", kind: "x.y" } as StreamPart]);
    expect(updates[0]).toMatchObject({ _meta: { "ai-sdk": { providerExecuted: true, dynamic: true } } });
    expect(updates[1]).toMatchObject({
      sessionUpdate: "session_info_update",
      _meta: { "ai-sdk": { custom: { type: "custom", kind: "x.y" } } },
    });
  });

  test("uses approvals that the application decided, and requests permission only for the others", async () => {
    const asked = answering("allow_once");
    const toolCall = { ...input, type: "tool-call" };
    const results: PipeResult[] = [];
    const { session } = await connect(
      agentSending(
        [
          toolCall,
          { type: "tool-approval-request", approvalId: "a1", toolCall, isAutomatic: true } as StreamPart,
          { type: "tool-approval-response", approvalId: "a1", toolCall, approved: false } as StreamPart,
          {
            type: "tool-approval-request",
            approvalId: "a2",
            toolCall: { ...toolCall, toolCallId: "c2" },
          } as StreamPart,
        ],
        { tools: { bash: { needsApproval: true } } },
        results,
      ),
      asked,
    );
    const { updates } = await play(session, "Go");
    expect(
      lines(updates)
        .filter((line) => line.includes("c1"))
        .at(-1),
    ).toBe("tool_call_update c1 failed");
    expect(asked.asked).toHaveLength(1);
    expect(results[0]?.approvals).toEqual([{ type: "tool-approval-response", approvalId: "a2", approved: true }]);
  });

  test("ends as end_turn below its step limit, and as max_turn_requests at the limit", async () => {
    const parts = [{ type: "start-step" }, { type: "finish", finishReason: "tool-calls" } as StreamPart];
    expect((await sent(parts, { maxSteps: 2 })).stopReason).toBe("end_turn");
    expect((await sent(parts, { maxSteps: 1 })).stopReason).toBe("max_turn_requests");
    expect((await sent(parts)).stopReason).toBe("max_turn_requests");
  });

  test("reports unknown parts", async () => {
    const unknown: StreamPart[] = [];
    await sent([{ type: "hologram" }], { onUnknownPart: (part) => unknown.push(part) });
    expect(unknown).toEqual([{ type: "hologram" }]);
  });

  /** A stream that doesn't end, and whether its source has been ended. */
  function endless() {
    const state = { left: false };
    async function* parts(): AsyncGenerator<StreamPart> {
      try {
        yield { type: "text-delta", id: "0", text: "Working" } as StreamPart;
        yield { type: "tool-call", ...input } as StreamPart;
        for (;;) yield { type: "ping" };
      } finally {
        state.left = true;
      }
    }
    return { parts: parts(), state };
  }

  test("stops reading a stream that doesn't end when the turn is cancelled", async () => {
    const { parts, state } = endless();
    const { session } = await connect(agentSending(parts));
    const { stopReason } = await play(session, "Go", (_, cancel) => cancel());
    expect(stopReason).toBe("cancelled");
    expect(state.left).toBe(true);
  });

  test("stops reading a stream that doesn't end when a part can't be sent", async () => {
    const { parts, state } = endless();
    const broken = (): never => {
      throw new Error("no view");
    };
    const { session } = await connect(agentSending(parts, { views: { bash: { input: broken } } }));
    await expect(play(session, "Go")).rejects.toMatchObject({ code: -32603 });
    expect(state.left).toBe(true);
  });
});

describe("a UI message stream", () => {
  const look = tool({
    inputSchema: jsonSchema<{ path: string }>({ type: "object" }),
    execute: async ({ path }) => `content of ${path}`,
  });

  /** The parts of one response, in both streams. */
  const bothWays = async (): Promise<{
    full: readonly IncomingSessionUpdate[];
    ui: readonly IncomingSessionUpdate[];
  }> => {
    const script = () =>
      scriptedModel(
        [...thinks("Hm."), ...calls("c1", "look", { path: "/a" }), finish("tool-calls")],
        [...says("Done it"), finish()],
      ).model;
    const agent = (way: "full" | "ui"): AgentDefinition => ({
      info: { name: "test", version: "1" },
      newSession: () => ({ sessionId: "s1" }),
      prompt: async (turn) => {
        const result = streamText({
          model: script(),
          prompt: turn.text,
          tools: { look },
          stopWhen: ({ steps }) => steps.length === 2,
        });
        const stream: AsyncIterable<StreamPart> = way === "full" ? result.fullStream : result.toUIMessageStream();
        return (await pipe(stream, turn)).response;
      },
    });
    const played = async (way: "full" | "ui") => (await play((await connect(agent(way))).session, "Go")).updates;
    return { full: await played("full"), ui: await played("ui") };
  };

  test("is sent like fullStream", async () => {
    const { full, ui } = await bothWays();
    expect(lines(full)).toEqual([
      "thinks Hm.",
      "tool_call c1 pending",
      "tool_call_update c1 in_progress",
      'tool_call_update c1 completed "content of /a"',
      "says Done ",
      "says it",
    ]);
    expect(lines(ui)).toEqual(lines(full));
  });

  const chunks = (...list: UIMessageChunk[]): readonly StreamPart[] => list;

  test("sends links, data, metadata and errors of tools", async () => {
    const { updates } = await sent(
      chunks(
        { type: "start", messageId: "m1", messageMetadata: { at: 1 } },
        { type: "source-url", sourceId: "1", url: "https://example.com/", title: "Example" },
        { type: "source-document", sourceId: "2", mediaType: "text/plain", title: "Notes", filename: "notes.txt" },
        { type: "file", url: "data:image/png;base64,aGk=", mediaType: "image/png" },
        { type: "file", url: "https://example.com/a.pdf?x", mediaType: "application/pdf" },
        { type: "data-weather", id: "w", data: { sun: true } },
        { type: "message-metadata", messageMetadata: { tokens: 3 } },
        { type: "tool-input-error", toolCallId: "c1", toolName: "bash", input: "{", errorText: "Not JSON" },
        { type: "tool-input-available", toolCallId: "c2", toolName: "bash", input: {} },
        { type: "tool-output-error", toolCallId: "c2", errorText: "Broken" },
        { type: "tool-input-available", toolCallId: "c3", toolName: "bash", input: {} },
        { type: "tool-output-denied", toolCallId: "c3" },
        { type: "finish", finishReason: "stop" },
      ),
    );
    expect(updates.slice(0, 7)).toMatchObject([
      { sessionUpdate: "session_info_update", _meta: { "ai-sdk": { messageMetadata: { at: 1 } } } },
      { content: { type: "resource_link", uri: "https://example.com/" } },
      { content: { type: "resource_link", uri: "ai-sdk-source:2", name: "Notes" } },
      { content: { type: "image", data: "aGk=" } },
      { content: { type: "resource_link", uri: "https://example.com/a.pdf?x", name: "a.pdf" } },
      { _meta: { "ai-sdk": { data: { type: "data-weather", id: "w", data: { sun: true } } } } },
      { _meta: { "ai-sdk": { messageMetadata: { tokens: 3 } } } },
    ]);
    expect(lines(updates).filter((line) => line.includes("failed"))).toEqual([
      "tool_call_update c1 failed",
      "tool_call_update c2 failed",
      "tool_call_update c3 failed",
    ]);
  });

  test("requests approvals by the id of the call", async () => {
    const asked = answering("reject_once");
    const results: PipeResult[] = [];
    const { session } = await connect(
      agentSending(
        chunks(
          { type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} },
          { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
        ),
        {},
        results,
      ),
      asked,
    );
    await play(session, "Go");
    expect(asked.asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(["c1"]);
    expect(results[0]?.approvals).toMatchObject([{ approved: false, reason: "The user rejected the tool call" }]);
  });

  test("fails the calls of a step that is reset, and rejects for an error part", async () => {
    const { updates } = await sent([
      { type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} } as StreamPart,
      { type: "reset-step" },
    ]);
    expect(lines(updates).slice(-2)).toEqual(["tool_call_update c1 failed", "session_info_update"]);
    await expect(sent(chunks({ type: "error", errorText: "secret" }))).rejects.toThrow(/Internal error/);
  });

  test("ends as cancelled when it was aborted", async () => {
    expect((await sent(chunks({ type: "abort" }))).stopReason).toBe("cancelled");
  });
});
