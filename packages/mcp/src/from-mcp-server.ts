import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { checkName } from "./check-name.js";
import { LibraryConnection, type LibraryServer } from "./library-connection.js";
import {
  type McpHandler,
  type McpSession,
  type McpSource,
  MODERN_REVISION,
  REVISION_MEMBER,
  SERVER_INFO,
} from "./mcp-source.js";

/**
 * Creates a server for {@link serveMcp} from one that is written with the official MCP library, in version 1
 * (`@modelcontextprotocol/sdk`) or 2 (`@modelcontextprotocol/server`). Its tools, resources and prompts work in every
 * agent. Its requests to the client, such as an elicitation or a sampling, are refused.
 *
 * @param name the name under which agents list the server.
 * @param createServer creates the server of one session. It is called at the first request of the agent; the server is
 * closed with the session.
 * @throws {InvalidOptionError} when the name is not made of letters, digits, `_` and `-`.
 * @example
 * ```ts
 * const docs = fromMcpServer("docs", ({ cwd }) => {
 *   const server = new McpServer({ name: "docs", version: "1.0.0" });
 *   server.registerTool("search", { inputSchema: { text: z.string() } }, ({ text }) => search(cwd, text));
 *   return server;
 * });
 * const agent = await connectAgent(spawnAgent({ command, args }), { mcp: serveMcp(docs) });
 * ```
 */
export function fromMcpServer(
  name: string,
  createServer: (session: McpSession) => LibraryServer | PromiseLike<LibraryServer>,
): McpSource {
  checkName("fromMcpServer", "name", name);
  return {
    name,
    open(session) {
      let opened: Promise<LibraryConnection> | undefined;
      return handlerOf(() => {
        opened ??= LibraryConnection.open(async () => createServer(session), session.signal).catch((error: unknown) => {
          opened = undefined; // the next request tries again
          throw error;
        });
        return opened;
      });
    },
  };
}

/** Converts the requests of the era without a handshake, which handlers get, to those of the era of `initialize`. */
export function handlerOf(open: () => Promise<LibraryConnection>): McpHandler {
  return async ({ method, params, signal, notify }) => {
    const server = await open();
    if (method === "server/discover") return { result: discovered(server.initialized) };
    const outcome = await server.request({ method, params: withoutRevision(params), signal, notify });
    return "error" in outcome ? outcome : { result: modernResult(method, outcome.result, server.initialized) };
  };
}

const cached = { ttlMs: 0, cacheScope: "private" };

function discovered({ capabilities = {}, instructions, serverInfo }: JsonObject): JsonObject {
  return {
    supportedVersions: [MODERN_REVISION],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    resultType: "complete",
    ...cached,
    _meta: { [SERVER_INFO]: serverInfo },
  };
}

function modernResult(method: string, result: unknown, { serverInfo }: JsonObject): unknown {
  if (!isJsonObject(result)) return result;
  const isCacheable = method.endsWith("/list") || method === "resources/read";
  const _meta = { ...(isJsonObject(result._meta) ? result._meta : {}), [SERVER_INFO]: serverInfo };
  return { resultType: "complete", ...(isCacheable && cached), ...result, _meta };
}

/** Removes the members of `_meta` with which a request describes its client, which the era of `initialize` has not. */
function withoutRevision(params: JsonObject | undefined): JsonObject | undefined {
  if (!isJsonObject(params?._meta)) return params;
  const prefix = REVISION_MEMBER.slice(0, REVISION_MEMBER.indexOf("/") + 1);
  const { _meta, ...others } = params;
  const kept = Object.entries(_meta as JsonObject).filter(([member]) => !member.startsWith(prefix));
  return kept.length === 0 ? others : { ...others, _meta: Object.fromEntries(kept) };
}
