import { RpcError } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { messageChunk, thoughtChunk, toolCall } from "../fixtures.js";
import { comparableMessages } from "./comparable-messages.js";
import { inOrder } from "./in-order.js";
import { noResponse } from "./scripted-peer.js";

const update = (sessionId: string, members: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: members },
});
const turn = (session: string, call: string, cuts: readonly string[]): object[] => [
  ...cuts.map((text) => update(session, messageChunk(text))),
  update(session, { ...toolCall({ toolCallId: call, title: "Read" }), _meta: { run: session } }),
  update(session, { sessionUpdate: "session_info_update", updatedAt: new Date().toISOString() }),
  { jsonrpc: "2.0", id: `${session}-1`, result: { stopReason: "end_turn" } },
];

describe("comparable messages", () => {
  it("are equal if only ids, times, _meta and the boundaries of chunks differ", () => {
    const left = comparableMessages(turn("a", "c1", ["Hello", " world"]));
    expect(left).toEqual(comparableMessages(turn("b", "c2", ["Hel", "lo w", "orld"])));
    expect(left).toHaveLength(4);
    expect(left[0]).toMatchObject({ params: { sessionId: "#1", update: { content: { text: "Hello world" } } } });
  });

  it("differ if a text, the order of messages, or an id that refers to another message differs", () => {
    const [text, call] = [update("a", messageChunk("x")), update("a", toolCall({ toolCallId: "c", title: "Read" }))];
    const again = (id: string): object => update("a", { sessionUpdate: "tool_call_update", toolCallId: id });
    const different = [
      [[text], [update("a", messageChunk("y"))]],
      [[text], [update("a", thoughtChunk("x"))]],
      [
        [text, call],
        [call, text],
      ],
      [
        [call, again("c")],
        [call, again("other")],
      ],
      [[{ id: 1, result: {} }], [{ id: 1, error: { code: -32603, message: "failed" } }]],
    ];
    for (const [left = [], right = []] of different) {
      expect(comparableMessages(left)).not.toEqual(comparableMessages(right));
    }
  });

  it("accept values that are not messages", () => {
    expect(comparableMessages([null, 1, [], "text", { method: "x", params: null }])).toHaveLength(5);
  });
});

describe("responses in order", () => {
  const request = { id: 1, method: "fs/read_text_file", params: {}, signal: new AbortController().signal };

  it("are given once each, and a further request fails", () => {
    const handler = inOrder([{ result: { content: "a" } }, noResponse, { error: { code: -32_002, message: "none" } }]);
    expect(handler(request)).toEqual({ content: "a" });
    expect(handler(request)).toBe(noResponse);
    expect(() => handler(request)).toThrow(RpcError);
    expect(() => handler(request)).toThrow("3 responses to fs/read_text_file, and this is request 4");
  });
});

it("compares at most 200 levels of a message, however deep it is", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? { deep } : [deep];
  const text = JSON.stringify(comparableMessages([{ jsonrpc: "2.0", method: "_x", params: { deep } }]));
  expect(text).toContain('"…"');
  expect(text).not.toContain("end");
  expect(text.length).toBeLessThan(2_000);
});
