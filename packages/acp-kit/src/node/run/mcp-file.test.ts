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

it.each(["mcpServers", "servers", "context_servers"])(
  "leaves out servers that the user has turned off, in %s",
  (member) => {
    const servers = {
      files: { command: "files-mcp" },
      production: { command: "db-mcp", args: ["--write"], disabled: true },
      billing: { command: "billing-mcp", enabled: false },
      draft: { disabled: true },
      on: { url: "https://example.com/mcp", disabled: false, enabled: true },
    };
    expect(read({ [member]: servers }).map(({ name }) => name)).toEqual(["files", "on"]);
    const list = Object.entries(servers).map(([name, server]) => ({ name, ...server }));
    expect(read(list).map(({ name }) => name)).toEqual(["files", "on"]);
  },
);

it("reads the files of VS Code and Zed, with comments and trailing commas", () => {
  const one = [{ name: "one", command: "npx", args: ["-y"], env: [] }];
  expect(
    read(
      `{ // VS Code\n "inputs": [], "servers": { "one": { "type": "stdio", "command": "npx", "args": ["-y",], }, }, }`,
    ),
  ).toEqual(one);
  expect(
    read(`{ "editor.fontSize": 12, /* more */ "mcp": { "servers": { "one": { "command": "npx", "args": ["-y"] } } } }`),
  ).toEqual(one);
  const zed = {
    old: { command: { path: "npx", args: ["-y"] } },
    git: { source: "extension", settings: {} },
    new: { source: "custom", command: "a" },
  };
  expect(read({ theme: "One", context_servers: zed })).toEqual([
    { ...one[0], name: "old" },
    { name: "new", command: "a", args: [], env: [] },
  ]);
  expect(() => read(`{ // a comment\n "servers": { ! } }`)).toThrow("at line 2, column 15");
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
