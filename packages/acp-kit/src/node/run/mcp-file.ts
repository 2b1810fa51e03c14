import { isJsonObject } from "@acp-kit/protocol/internal";
import { parseJsonWithComments } from "@acp-kit/registry";
import type { EnvVariable, HttpHeader, McpServer } from "@acp-kit/types";
import { usageFailure } from "../command-failure.js";
import { parseJson, readText } from "../user-file.js";

/**
 * Reads the MCP servers from a file, without those that are turned off. The file contains a list as in the protocol,
 * `[{ "name", "command", "args", "env" }]`, or the format of most programs,
 * `{ "mcpServers": { "name": { "command", "args", "env": { "NAME": "value" } } } }`. The member is `servers` in the
 * `mcp.json` of VS Code and `context_servers` in the settings of Zed. Comments and trailing commas are ignored.
 *
 * @throws {CommandFailure} whose message contains the problem and its place in the file.
 */
export function readMcpFile(path: string): McpServer[] {
  const what = `--mcp ${path}`;
  const content = parseJson(readText(path, what), what, parseJsonWithComments);
  try {
    return serversOf(content);
  } catch (cause) {
    throw usageFailure(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function serversOf(content: unknown): McpServer[] {
  const inner = innerOf(content);
  if (Array.isArray(inner)) return inner.filter(isOn).map((server, index) => serverOf(server, `server ${index + 1}`));
  if (!isJsonObject(inner)) throw new TypeError('expected a list of servers, or an object with "mcpServers"');
  return Object.entries(inner)
    .filter(([, server]) => isOn(server))
    .map(([name, server]) => {
      if (!isJsonObject(server)) throw new TypeError(`"${name}": expected an object`);
      // Of older versions of Zed
      const nested = isJsonObject(server.command) ? { ...server.command, command: server.command.path } : {};
      return serverOf({ name, ...server, ...nested }, `"${name}"`);
    });
}

function innerOf(content: unknown): unknown {
  if (!isJsonObject(content)) return content;
  const { mcp, mcpServers = isJsonObject(mcp) ? mcp.servers : undefined, servers, context_servers } = content;
  return mcpServers ?? servers ?? context_servers ?? content;
}

/** Returns whether a server is to be used. Programs mark a server that is turned off with one of two members. */
function isOn(server: unknown): boolean {
  return (
    !isJsonObject(server) || !(server.disabled === true || server.enabled === false || server.source === "extension")
  );
}

function serverOf(server: unknown, where: string): McpServer {
  if (!isJsonObject(server)) throw new TypeError(`${where}: expected an object`);
  const name = textOf(server.name, `${where}: "name"`);
  const type = server.type ?? (server.url !== undefined ? "http" : "stdio");
  if (type === "http" || type === "sse" || type === "streamable-http") {
    return {
      type: type === "sse" ? "sse" : "http",
      name,
      url: textOf(server.url, `${where}: "url"`),
      headers: pairsOf(server.headers, `${where}: "headers"`),
    };
  }
  if (type !== "stdio") throw new TypeError(`${where}: "type" must be stdio, http or sse, not ${JSON.stringify(type)}`);
  const { args = [] } = server;
  if (!Array.isArray(args)) throw new TypeError(`${where}: "args": expected a list`);
  return {
    name,
    command: textOf(server.command, `${where}: "command"`),
    args: args.map((each) => anyTextOf(each, `${where}: "args"`)),
    env: pairsOf(server.env, `${where}: "env"`),
  };
}

/** Reads environment variables or headers: `[{ name, value }]` or `{ name: value }`. */
function pairsOf(pairs: unknown, where: string): (EnvVariable & HttpHeader)[] {
  if (pairs === undefined || pairs === null) return [];
  if (typeof pairs !== "object") throw new TypeError(`${where}: expected names with values`);
  const list = Array.isArray(pairs) ? pairs : Object.entries(pairs).map(([name, value]) => ({ name, value }));
  return list.map((pair) => {
    if (!isJsonObject(pair)) throw new TypeError(`${where}: expected names with values`);
    return { name: textOf(pair.name, where), value: anyTextOf(pair.value, where) };
  });
}

function textOf(value: unknown, where: string): string {
  const text = anyTextOf(value, where);
  if (text === "") throw new TypeError(`${where}: expected a text that is not empty`);
  return text;
}

/** Returns a text that may be empty, such as the value of a variable. */
function anyTextOf(value: unknown, where: string): string {
  if (typeof value !== "string") throw new TypeError(`${where}: expected a text`);
  return value;
}
