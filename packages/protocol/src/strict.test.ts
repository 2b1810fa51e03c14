import { expect, test } from "vitest";
import { checkV1Agent, checkV1Client } from "./strict.js";

test("what the schema allows passes", () => {
  expect(checkV1Client("session/new", "params", { cwd: "/work", mcpServers: [] })).toEqual([]);
  expect(checkV1Agent("session/new", "result", { sessionId: "s" })).toEqual([]);
  expect(checkV1Agent("session/load", "result", undefined)).toEqual([]);
});

test("what a lenient reader would repair is a fault of the sender", () => {
  expect(checkV1Client("session/new", "params", { cwd: "/work", mcpServers: null })).toMatchObject([
    { path: ["mcpServers"] },
  ]);
});

test("an update that is misspelled is a fault, with its path", () => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text" } };
  expect(checkV1Agent("session/update", "params", { sessionId: "s", update })).toMatchObject([
    { path: ["update", "content", "text"] },
  ]);
});

test("extension methods are not judged", () => {
  expect(checkV1Agent("_vendor/x", "params", 5)).toEqual([]);
});
