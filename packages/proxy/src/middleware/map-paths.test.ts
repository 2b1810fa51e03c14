import { readFileSync } from "node:fs";
import { mapPaths } from "@acp-kit/proxy/middleware";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delivered, rawChain } from "../../test/raw-peer.js";
import { foreignMembers, mapped, pathListMembers, pathMembers, uriMembers } from "./map-paths.js";
import { mapPath, mapUri } from "./path-pair.js";

type Schema = { readonly properties?: Record<string, Schema>; readonly description?: string } & Record<string, unknown>;

/** Returns the names of all members in the schema, with their descriptions, outside of foreign members. */
function membersOf(schema: unknown, found: Map<string, string[]> = new Map()): Map<string, string[]> {
  if (typeof schema !== "object" || schema === null) return found;
  for (const [name, member] of Object.entries((schema as Schema).properties ?? {}))
    found.set(name, [...(found.get(name) ?? []), JSON.stringify(member)]);
  for (const value of Object.values(schema)) membersOf(value, found);
  return found;
}

describe.each(["v1", "v2"])("proxy.paths-mapped: the members of the schema of %s", (version) => {
  const file = new URL(`../../../../schema/${version}/schema.json`, import.meta.url);
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const members = membersOf(schema.$defs);

  test("proxy.paths-mapped: each member that the schema describes as a path, directory or URI is mapped", () => {
    /** Members whose descriptions mention paths although they contain none, or addresses on the web. */
    const others = new Set([
      "command", // the name or path of a program, which the agent resolves
      "url",
      "readTextFile",
      "writeTextFile",
      "$schema",
    ]);
    const named = [...members]
      .filter(
        ([name, [member = ""]]) =>
          /path|cwd|uri|director/i.test(name) || /absolute path|file path|working directory|roots/i.test(member),
      )
      .map(([name]) => name)
      .filter((name) => !others.has(name));
    const mappedNames = new Set([...pathMembers, ...uriMembers, ...pathListMembers]);
    expect(named.filter((name) => !mappedNames.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
  });

  test("members with the same names are paths everywhere", () => {
    for (const name of pathMembers) {
      for (const member of members.get(name) ?? []) expect(member).toMatch(/path|directory/i);
    }
    for (const member of members.get("uri") ?? []) expect(member).toMatch(/URI/);
    for (const name of foreignMembers) expect(members.has(name) || name === "requestedSchema").toBe(true);
  });
});

const container = [
  { client: "/home/me/project", agent: "/workspace" },
  { client: "/home/me/project/vendor", agent: "/vendor" },
];

test("proxy.paths-mapped: both directions, requests, results and updates; free text, commands and contents stay", async () => {
  const { client, agent } = rawChain([mapPaths(container)]);
  const prompt = [
    { type: "text", text: "/home/me/project/a" },
    { type: "resource_link", name: "a", uri: "file:///home/me/project/a%20b.ts" },
    { type: "resource", resource: { uri: "file:///home/me/project/vendor/c", text: "/home/me/project" } },
  ];
  client.request(1, "session/new", {
    cwd: "/home/me/project",
    additionalDirectories: ["/home/me/project/vendor", "/etc"],
    mcpServers: [{ name: "m", command: "/home/me/project/m", args: ["/home/me/project"], env: [] }],
  });
  client.request(2, "session/prompt", { sessionId: "s", prompt });
  client.request(3, "session/list", { cwd: "/home/me/project" });
  await delivered();
  expect(agent.params("session/new")).toEqual({
    cwd: "/workspace",
    additionalDirectories: ["/vendor", "/etc"],
    mcpServers: [{ name: "m", command: "/home/me/project/m", args: ["/home/me/project"], env: [] }],
  });
  expect(agent.params("session/prompt").prompt).toEqual([
    prompt[0],
    { type: "resource_link", name: "a", uri: "file:///workspace/a%20b.ts" },
    { type: "resource", resource: { uri: "file:///vendor/c", text: "/home/me/project" } },
  ]);
  expect(agent.params("session/list")).toEqual({ cwd: "/workspace" });
  agent.respond(3, { sessions: [{ sessionId: "s", cwd: "/workspace/sub", additionalDirectories: ["/vendor"] }] });
  agent.request("r", "fs/read_text_file", { sessionId: "s", path: "/workspace/a.ts" });
  agent.request("m", "fs/rename_file", { sessionId: "s", path: "/workspace/a", targetPath: "/workspace/b" });
  agent.request("t", "terminal/create", { sessionId: "s", command: "ls", args: ["/workspace"], cwd: "/workspace" });
  const toolCall = {
    toolCallId: "t",
    title: "Edit /workspace/a",
    locations: [{ path: "/workspace/a" }],
    rawInput: { path: "/workspace/a" },
    content: [
      { type: "diff", path: "/workspace/a", newText: "/workspace" },
      { type: "content", content: { type: "resource_link", name: "x", uri: "file:///vendor/x" } },
    ],
  };
  agent.request("p", "session/request_permission", { sessionId: "s", toolCall, options: [] });
  agent.notify("session/update", { sessionId: "s", update: { sessionUpdate: "tool_call_update", ...toolCall } });
  await delivered();
  expect(client.response(3).result).toEqual({
    sessions: [{ sessionId: "s", cwd: "/home/me/project/sub", additionalDirectories: ["/home/me/project/vendor"] }],
  });
  expect(client.params("fs/read_text_file").path).toBe("/home/me/project/a.ts");
  expect(client.params("fs/rename_file")).toMatchObject({
    path: "/home/me/project/a",
    targetPath: "/home/me/project/b",
  });
  expect(client.params("terminal/create")).toMatchObject({ args: ["/workspace"], cwd: "/home/me/project" });
  const shown = {
    ...toolCall,
    locations: [{ path: "/home/me/project/a" }],
    content: [
      { type: "diff", path: "/home/me/project/a", newText: "/workspace" },
      { type: "content", content: { type: "resource_link", name: "x", uri: "file:///home/me/project/vendor/x" } },
    ],
  };
  expect(client.params("session/request_permission").toolCall).toEqual(shown);
  expect(client.params("session/update").update).toMatchObject(shown);
});

const pair = (from: string, to: string): { from: string; to: string }[] => [{ from, to }];

test.each([
  ["/work", "/w", "/work", "/w"],
  ["/work/", "/w/", "/work/a", "/w/a"],
  ["/work", "/w", "/working", "/working"],
  ["/work", "/w", "/WORK/a", "/WORK/a"],
  ["/work", "/w", "/work/../etc/passwd", "/work/../etc/passwd"],
  ["/work", "/w", "/etc/../work/./a//b", "/w/a/b"],
  ["/work", "/w", "/work/a/../../work/b", "/w/b"],
  ["/", "/root", "/a", "/root/a"],
  ["/work", "/", "/work/a", "/a"],
  ["C:\\work", "/mnt/c/work", "c:\\WORK\\a\\b", "/mnt/c/work/a/b"],
  ["C:\\work", "/mnt/c/work", "C:/work/a", "/mnt/c/work/a"],
  ["/mnt/c", "C:\\", "/mnt/c/a/b", "C:\\a\\b"],
  ["\\\\server\\share\\x", "/s", "\\\\SERVER\\share\\x\\y", "/s/y"],
  ["C:\\work", "/w", "D:\\work\\a", "D:\\work\\a"],
  ["/work", "/w", "relative/a", "relative/a"],
])("proxy.paths-mapped: with %s → %s, %s becomes %s", (from, to, path, expected) => {
  expect(mapPath(path, pair(from, to))).toBe(expected);
});

test.each([
  ["file:///work/a%20b%23c", "file:///w/a%20b%23c"],
  ["file://localhost/work/a?x#L1", "file:///w/a?x#L1"],
  ["file:///work/%2e%2e/etc", "file:///work/%2e%2e/etc"],
  ["file:///work/%zz", "file:///work/%zz"],
  ["https://example.com/work/a", "https://example.com/work/a"],
  ["/work/a", "/work/a"],
])("proxy.paths-mapped: the URI %s becomes %s", (uri, expected) => {
  expect(mapUri(uri, pair("/work", "/w"))).toBe(expected);
});

test("the URIs of Windows paths", () => {
  expect(mapUri("file:///C:/work/a%20b", pair("C:\\work", "/w"))).toBe("file:///w/a%20b");
  expect(mapUri("file:///w/a", pair("/w", "C:\\work"))).toBe("file:///C:/work/a");
});

test("proxy.paths-mapped: mapping there and back gives the same path, and no path leaves its folder", () => {
  const name = fc.constantFrom("a", "b c", "ü", "%41", ".hidden", "..", ".", "d#e");
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const path = `/home/me/project/${names.join("/")}`;
      const there = mapPath(path, pair("/home/me/project", "/workspace"));
      if (there === path) return;
      expect(there).toMatch(/^\/workspace(\/|$)/);
      expect(there.split("/")).not.toContain("..");
      const back = mapPath(there, pair("/workspace", "/home/me/project"));
      expect(mapPath(back, pair("/home/me/project", "/workspace"))).toBe(there);
    }),
  );
});

test("values without paths stay the same objects; odd values pass", () => {
  const value = { a: [1, { b: null }], cwd: 5, additionalDirectories: "x", uri: null };
  expect(mapped(value, pair("/work", "/w"))).toBe(value);
});

test("a path that is not absolute is an error, and names that differ only in case are refused", async () => {
  expect(() => mapPaths([{ client: "work", agent: "/w" }])).toThrow("must be an absolute path");
  const { client, agent } = rawChain([mapPaths(container)]);
  agent.request(1, "fs/write_text_file", { sessionId: "s", path: "/tmp/a", Path: "/etc/passwd", content: "" });
  agent.notify("session/update", { sessionId: "s", SessionId: "t", update: { sessionUpdate: "plan", entries: [] } });
  await delivered();
  expect(agent.response(1).error?.code).toBe(-32602);
  expect(client.received).toEqual([]);
});
