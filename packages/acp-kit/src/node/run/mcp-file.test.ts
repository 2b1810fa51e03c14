import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readMcpFile } from "./mcp-file.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-mcp-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown): ReturnType<typeof readMcpFile> {
  const path = join(folder, "mcp.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return readMcpFile(path);
}

it("reads the format of most programs", () => {
  const mcpServers = {
    files: { command: "npx", args: ["-y", "server"], env: { TOKEN: "t" } },
    web: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer t" } },
    old: { type: "sse", url: "https://example.com/sse" },
    plain: { url: "https://example.com/mcp" },
  };
  expect(read({ mcpServers })).toEqual([
    { name: "files", command: "npx", args: ["-y", "server"], env: [{ name: "TOKEN", value: "t" }] },
    {
      type: "http",
      name: "web",
      url: "https://example.com/mcp",
      headers: [{ name: "Authorization", value: "Bearer t" }],
    },
    { type: "sse", name: "old", url: "https://example.com/sse", headers: [] },
    { type: "http", name: "plain", url: "https://example.com/mcp", headers: [] },
  ]);
});

it("reads the format of the protocol", () => {
  const servers = [{ name: "one", command: "/bin/one", args: [], env: [{ name: "A", value: "b" }] }];
  expect(read(servers)).toEqual(servers);
  expect(read({ mcpServers: servers })).toEqual(servers);
  expect(read([])).toEqual([]);
});

it("accepts an empty variable, an empty argument and null as the variables", () => {
  const mcpServers = { one: { command: "x", args: [""], env: { HTTP_PROXY: "" } }, two: { command: "y", env: null } };
  expect(read({ mcpServers })).toEqual([
    { name: "one", command: "x", args: [""], env: [{ name: "HTTP_PROXY", value: "" }] },
    { name: "two", command: "y", args: [], env: [] },
  ]);
});

it.each<[unknown, string]>([
  ["{", "JSON"],
  [3, "expected a list of servers"],
  [[3], "server 1: expected an object"],
  [{ mcpServers: { one: {} } }, '"one": "command": expected a text'],
  [{ mcpServers: { one: { type: "carrier pigeon" } } }, '"type" must be stdio, http or sse'],
  [{ mcpServers: { one: { type: "http" } } }, '"one": "url": expected a text'],
  [{ mcpServers: { one: { command: "x", args: "y" } } }, '"args": expected a list'],
  [{ mcpServers: { one: { command: "x", env: { A: 1 } } } }, '"env": expected a text'],
  [{ mcpServers: { one: { command: "x", env: "A=1" } } }, '"env": expected names with values'],
  [{ mcpServers: { one: { command: "x", env: [{ name: "", value: "a" }] } } }, '"env": expected a text'],
  [{ mcpServers: { one: { url: "http://a", headers: 5 } } }, '"headers": expected names with values'],
])("%j is a usage error with the place of the problem", (content, told) => {
  expect(() => read(content)).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringContaining(told) }));
});
