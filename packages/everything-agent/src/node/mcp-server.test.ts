import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { connectMcpServer } from "./mcp-server.js";

/** An MCP server that sends the responses of the test and exits at the end of its input. */
const server = (script: string) => ({
  name: "test",
  command: process.execPath,
  args: [
    "-e",
    `let rest = "";
    const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...result }));
    process.stdin.on("data", (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
        const { id, method, params } = JSON.parse(rest.slice(0, end));
        rest = rest.slice(end + 1);
        ${script}
      }
    });`,
  ],
  env: [{ name: "TOOL", value: "greet" }],
});

it("MCP-02 starts a server with its variables, initializes it and lists its tools", async () => {
  const connection = connectMcpServer(
    server(`
      if (method === "initialize") answer(id, { result: { protocolVersion: params.protocolVersion, capabilities: {} } });
      if (method === "tools/list") answer(id, { result: { tools: [{ name: process.env.TOOL }] } });
    `),
    tmpdir(),
  );
  expect(await connection?.state).toEqual({ state: "connected", tools: ["greet"] });
  await connection?.close();
});

it("ignores lines of a server that are JSON but no message", async () => {
  const connection = connectMcpServer(
    server(`
      console.log("null\\n5\\n[null]");
      answer(id, { result: method === "tools/list" ? { tools: [null, { name: "greet" }] } : {}, error: null });
    `),
    tmpdir(),
  );
  expect(await connection?.state).toEqual({ state: "connected", tools: ["greet"] });
  await connection?.close();
});

it.each([
  ["refuses", `answer(id, { error: { code: 1, message: "not today" } })`, "not today"],
  ["ends", "process.exit(1)", expect.any(String)],
])("reports why a server that %s is not available", async (_, script, reason) => {
  const connection = connectMcpServer(server(script), tmpdir());
  expect(await connection?.state).toEqual({ state: "failed", reason });
  await connection?.close();
});

it("reports why a server that can't be started is not available", async () => {
  const connection = connectMcpServer({ name: "none", command: "/no/such/server", args: [], env: [] }, tmpdir());
  expect(await connection?.state).toEqual({ state: "failed", reason: expect.stringContaining("/no/such/server") });
  await connection?.close();
});

it("ignores servers with other transports", () => {
  expect(connectMcpServer({ type: "http", name: "web", url: "https://example.com", headers: [] }, "/")).toBeUndefined();
});
