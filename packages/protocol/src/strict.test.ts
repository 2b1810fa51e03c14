import { expect, test } from "vitest";
import { checkV1Agent, checkV1Client } from "./strict.js";

test("values that match the schema pass", () => {
  expect(checkV1Client("session/new", "params", { cwd: "/work", mcpServers: [] })).toEqual([]);
  expect(checkV1Agent("session/new", "result", { sessionId: "s" })).toEqual([]);
  expect(checkV1Agent("session/load", "result", undefined)).toEqual([]);
});

test("values that a decoder would repair are reported", () => {
  expect(checkV1Client("session/new", "params", { cwd: "/work", mcpServers: null })).toMatchObject([
    { path: ["mcpServers"] },
  ]);
});

test("a malformed update is reported with its path", () => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text" } };
  expect(checkV1Agent("session/update", "params", { sessionId: "s", update })).toMatchObject([
    { path: ["update", "content", "text"] },
  ]);
});

test("extension methods are not checked", () => {
  expect(checkV1Agent("_vendor/x", "params", 5)).toEqual([]);
});
