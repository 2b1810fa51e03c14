import { hideTools } from "@acp-kit/proxy/middleware";
import { expect, test } from "vitest";
import { delivered, initialize, type RawChain, rawChain } from "../../test/raw-peer.js";
import type { HideToolsOptions } from "./hide-tools.js";

const capabilities = { fs: { readTextFile: true, writeTextFile: true, deleteFile: true }, terminal: true };

async function opened(options: HideToolsOptions): Promise<RawChain> {
  const chain = rawChain([hideTools(options)]);
  await initialize(chain, { capabilities });
  return chain;
}

test.each([
  [
    { files: true },
    { fs: {}, terminal: true },
    ["fs/read_text_file", "fs/write_text_file", "fs/delete_file", "fs/rename_file"],
  ],
  [{ files: "write" }, { fs: { readTextFile: true }, terminal: true }, ["fs/write_text_file", "fs/delete_file"]],
  [{ terminals: true }, { fs: capabilities.fs, terminal: false }, ["terminal/create", "terminal/kill"]],
] as const)("%j: not advertised, and refused if the agent asks anyway", async (options, shown, methods) => {
  const { client, agent } = await opened(options);
  expect(agent.params("initialize").clientCapabilities).toEqual(shown);
  for (const method of methods) agent.request(method, method, { sessionId: "s", path: "/a" });
  await delivered();
  for (const method of methods) expect(agent.response(method).error?.code).toBe(-32601);
  expect(client.names).toEqual([0]);
});

test("reading passes if only writing is withheld", async () => {
  const { client, agent } = await opened({ files: "write" });
  agent.request(1, "fs/read_text_file", { sessionId: "s", path: "/a" });
  await delivered();
  expect(client.of("fs/read_text_file")).toHaveLength(1);
});

test("MCP servers are withheld when a session is created, loaded or resumed", async () => {
  const server = (name: string): object => ({ name, command: name, args: [], env: [] });
  const mcpServers = [server("github"), server("payments")];
  for (const hidden of [["payments"], ({ name }: { readonly name: string }) => name.startsWith("pay")]) {
    const { client, agent } = await opened({ mcpServers: hidden });
    client.request(1, "session/new", { cwd: "/", mcpServers });
    client.request(2, "session/load", { sessionId: "a", cwd: "/", mcpServers });
    client.request(3, "session/resume", { sessionId: "b", cwd: "/", mcpServers });
    await delivered();
    for (const method of ["session/new", "session/load", "session/resume"])
      expect(agent.params(method).mcpServers).toEqual([server("github")]);
  }
});

test("calls of named tools are rejected with the mildest option, and others reach the user", async () => {
  const { client, agent } = await opened({ calls: ["Bash"] });
  const options = [
    { optionId: "1", name: "Never", kind: "reject_always" },
    { optionId: "2", name: "No", kind: "reject_once" },
  ];
  agent.request("a", "session/request_permission", {
    sessionId: "s",
    toolCall: { toolCallId: "t", name: "Bash" },
    options,
  });
  agent.request("b", "session/request_permission", {
    sessionId: "s",
    toolCall: { toolCallId: "t", name: "Read" },
    options,
  });
  await delivered();
  expect(agent.response("a").result).toEqual({ outcome: { outcome: "selected", optionId: "2" } });
  expect(client.of("session/request_permission").map(({ id }) => id)).toEqual(["b"]);
});
