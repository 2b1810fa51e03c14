import { expect, test } from "vitest";
import type { Incoming } from "./agent-messages.js";
import type { AgentPeer } from "./agent-peer.js";
import { clientSide } from "./client-side.js";
import type { TestFiles } from "./test-files.js";

/**
 * Returns the reply of the simulated client to a request. The request uses no file and no peer, unless `files` has one.
 */
function replyTo(method: string, params: object, files: Partial<TestFiles> = {}): Promise<unknown> {
  const message = { jsonrpc: "2.0", id: 1, method, params };
  const request: Incoming = { seq: 0, atMs: 0, kind: "request", message, method, params };
  return clientSide(files as TestFiles)(request, {} as AgentPeer) as Promise<unknown>;
}

test.each<[object, unknown]>([
  [{ type: "integer", maximum: 0 }, 0],
  [{ type: "integer", minimum: 1.5 }, 2],
  [{ type: "number", minimum: 3, maximum: 4 }, 3],
  [{ type: "string", maxLength: 4 }, "conf"],
  [{ type: "string", minLength: 12 }, "conformancex"],
  [{ type: "string", enum: ["a", "b"] }, "a"],
  [{ type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 2 }, ["a", "b"]],
  [{ type: "array", items: { type: "string", enum: ["a"] }, maxItems: 0 }, []],
])("the simulated client fills the field %j of a form with the valid value %j", async (property, value) => {
  const requestedSchema = { type: "object", properties: { field: property } };
  const params = { sessionId: "s", mode: "form", message: "Fill in.", requestedSchema };
  expect(await replyTo("elicitation/create", params)).toEqual({
    result: { action: "accept", content: { field: value } },
  });
});

test.each([
  [{}, "one\ntwo\n"],
  [{ line: 0, limit: 1 }, "one\n"],
  [{ line: 2 }, "two\n"],
  [{ line: null, limit: null }, "one\ntwo\n"],
])("the simulated client reads the lines %j", async (members, content) => {
  const files = { contains: () => true, read: async () => "one\ntwo\n" };
  const params = { sessionId: "s", path: "/work/a.txt", ...members };
  expect(await replyTo("fs/read_text_file", params, files)).toEqual({ result: { content } });
});
