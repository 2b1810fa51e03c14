import type { AiSdkSession } from "@acp-kit/ai-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { closeMcp, mcpTools } from "./mcp-tools.js";

/** A minimal MCP server. It has one tool, which returns its input and a variable of its environment. */
const server = `
let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  lines.forEach(answer);
});
function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: params.arguments.text + process.env.MARK }] }),
  };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]() }));
}`;

const session = (script: string): AiSdkSession => ({
  sessionId: "s1",
  cwd: process.cwd(),
  additionalDirectories: [],
  messages: [],
  mcpServers: [
    { name: "echo", command: process.execPath, args: ["-e", script], env: [{ name: "MARK", value: "!" }] },
    { type: "http", name: "far", url: "https://example.com/mcp", headers: [] },
  ],
});

afterEach(() => closeMcp("s1"));

test("[MCP-02] the agent has the tools of a server on stdio, and requests permission for them", async () => {
  const { echo, ...others } = await mcpTools(session(server));
  expect(others).toEqual({});
  expect(echo?.needsApproval).toBe(true);
  expect(await echo?.execute?.({ text: "hi" }, { toolCallId: "c1", messages: [] })).toMatchObject({
    content: [{ type: "text", text: "hi!" }],
  });
});

test("a server is started once for a session", async () => {
  const [one, two] = await Promise.all([mcpTools(session(server)), mcpTools(session(server))]);
  expect(one.echo).toBe(two.echo);
});

test("a server that can't be used is reported on stderr, and the session continues without it", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await mcpTools(session("process.exit(1)"))).toEqual({});
  expect(error).toHaveBeenCalledOnce();
  error.mockRestore();
});
