import { describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../test/connect.js";
import { mcpTools } from "./mcp-tools.js";
import { ToolError } from "./tool-error.js";

const echo = mcpTools("echo", {
  say: {
    description: "Repeats a text",
    input: z.object({ text: z.string(), times: z.number().default(1) }),
    run: ({ text, times }) => text.repeat(times),
  },
  structured: { description: "Returns an object", run: () => ({ found: 2 }) },
  image: {
    description: "Returns content",
    run: () => ({ content: [{ type: "image", data: "", mimeType: "image/png" }] }),
  },
  nothing: { description: "Returns nothing", run: () => undefined },
  plain: {
    description: "Has a JSON Schema",
    input: { properties: { id: { type: "string" } }, required: ["id"] },
    run: (input) => `${JSON.stringify(input)}`,
  },
  explains: {
    description: "Fails in a way that the model can repair",
    run: () => {
      throw new ToolError("The ticket is closed. Open it first.");
    },
  },
  breaks: {
    description: "Fails",
    run: () => {
      throw new Error("password=hunter2");
    },
  },
  unserializable: { description: "Returns no JSON", run: () => ({ content: [{ type: "text", text: 1n }] }) },
  where: { description: "Returns the session", run: async (_, { session }) => `${await session.id} in ${session.cwd}` },
});

async function opened() {
  const pair = await connect({ sources: [echo] });
  await pair.client.newSession({ cwd: "/work" });
  const [server] = pair.agent.declared();
  const call = async (name: string, args?: object) => {
    const { result, error } = await pair.agent.call(server?.serverId, "tools/call", { name, arguments: args });
    return (error ?? result) as Record<string, unknown>;
  };
  return { ...pair, server, call };
}

describe("mcp.tools: tools run with checked inputs, and errors stay in the application", () => {
  it("lists the tools with their JSON Schemas", async () => {
    const { agent, server } = await opened();
    const { result } = await agent.call(server?.serverId, "tools/list");
    const { tools } = (result as { result: { tools: Record<string, unknown>[] } }).result;
    expect(tools.map(({ name }) => name)).toEqual([
      ...["say", "structured", "image", "nothing", "plain", "explains", "breaks", "unserializable", "where"],
    ]);
    expect(tools[0]).toMatchObject({
      description: "Repeats a text",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    });
    expect(tools[4]).toMatchObject({ inputSchema: { type: "object", required: ["id"] } });
  });

  it("describes the server", async () => {
    const { agent, server } = await opened();
    const { result } = await agent.call(server?.serverId, "server/discover");
    expect(result).toMatchObject({ result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } });
  });

  it("runs a tool with the checked input, and returns its text, object, content or nothing", async () => {
    const { call } = await opened();
    expect(await call("say", { text: "ab" })).toMatchObject({ result: { content: [{ type: "text", text: "ab" }] } });
    expect(await call("say", { text: "ab", times: 2 })).toMatchObject({ result: { content: [{ text: "abab" }] } });
    expect(await call("structured")).toMatchObject({
      result: { structuredContent: { found: 2 }, content: [{ type: "text", text: '{"found":2}' }] },
    });
    expect(await call("image")).toMatchObject({ result: { content: [{ type: "image" }] } });
    expect(await call("nothing")).toMatchObject({ result: { content: [{ type: "text", text: "" }] } });
    expect(await call("plain", { id: "7" })).toMatchObject({ result: { content: [{ text: '{"id":"7"}' }] } });
  });

  it("gives a tool its session: the folder at once, the id when the agent has responded", async () => {
    const { call } = await opened();
    expect(await call("where")).toMatchObject({ result: { content: [{ text: "session-1 in /work" }] } });
  });

  it("refuses an unknown tool and an invalid input with an error of MCP", async () => {
    const { call } = await opened();
    expect(await call("missing")).toEqual({ error: { code: -32602, message: "Tool missing not found" } });
    expect(await call("say", { text: 1 })).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^Invalid input: text: /) },
    });
    expect(await call("say", [] as never)).toMatchObject({ error: { code: -32602 } });
    expect(await call("plain", {})).toMatchObject({ error: { message: "Invalid input: id is missing" } });
    expect(await call("toString")).toMatchObject({ error: { message: "Tool toString not found" } });
  });

  it("shows the model the message of a ToolError only", async () => {
    const { call, diagnostics } = await opened();
    expect(await call("explains")).toMatchObject({
      result: { isError: true, content: [{ text: "The ticket is closed. Open it first." }] },
    });
    expect(diagnostics).toEqual([]);
    const broken = await call("breaks");
    expect(broken).toMatchObject({ result: { isError: true, content: [{ text: "The tool failed." }] } });
    expect(JSON.stringify(broken)).not.toContain("hunter2");
    expect(diagnostics).toMatchObject([{ code: "tool_failed", cause: { message: "password=hunter2" } }]);
  });

  it("answers -33002 if a result is not JSON, and reports it", async () => {
    const { call, diagnostics } = await opened();
    expect(await call("unserializable")).toEqual({ code: -33002, message: "The MCP server failed" });
    expect(diagnostics).toMatchObject([{ code: "unserializable" }]);
    expect(await call("say", { text: "still here" })).toMatchObject({ result: {} });
  });

  it("refuses definitions that can't work", () => {
    const run = () => "";
    expect(() => mcpTools("a b", {})).toThrow(/"name" must be a name of 1 to 64 letters/);
    expect(() => mcpTools("a", { "b c": { description: "", run } })).toThrow(/tools\.b c/);
    expect(() => mcpTools("a", { b: { run } as never })).toThrow(/"tools.b.description" is missing/);
    expect(() => mcpTools("a", { b: { description: "", run, inptu: {} } as never })).toThrow(
      /"tools.b.inptu" is unknown/,
    );
    const schema = { "~standard": { version: 1, vendor: "v", validate: (value: unknown) => ({ value }) } } as const;
    expect(() => mcpTools("a", { b: { description: "", input: schema as never, run } })).toThrow(/JSON Schema/);
  });
});
