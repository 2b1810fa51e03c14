import type { Diagnostic } from "@acp-kit/jsonrpc";
import type { ErrorObject, JsonObject } from "@acp-kit/jsonrpc/internal";

/** The session of ACP for which a server of MCP runs. */
export interface McpSession {
  /** The working directory of the session. */
  readonly cwd: string;
  /**
   * Resolves with the id of the session. Agents can use tools before they respond to `session/new`; until then the
   * client does not know the id. Rejects if the session can't be created.
   */
  readonly id: Promise<string>;
  /** Aborts when the session is closed, or the connection to the agent ends for good. */
  readonly signal: AbortSignal;
}

/** A request of MCP. */
export interface McpRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Aborts when the agent cancels the request, when its turn is cancelled, and when the session ends. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to the request, such as `notifications/progress`. */
  notify(method: string, params: JsonObject): void;
}

/** The result of a request of MCP, or its error. */
export type McpOutcome = { readonly result: unknown } | { readonly error: ErrorObject };

/** Handles the requests of one session, in the form of the revision 2026-07-28 of MCP. */
export type McpHandler = (request: McpRequest) => McpOutcome | PromiseLike<McpOutcome>;

/** A server of MCP inside the application, such as `mcpTools` creates. */
export interface McpSource {
  /** The name under which agents list the server. */
  readonly name: string;
  /** Creates the handler for one session. */
  open(session: McpSession, report: (diagnostic: Diagnostic) => void): McpHandler;
}

/** The revision of MCP without a handshake, which `mcp/message` carries. */
export const MODERN_REVISION = "2026-07-28";

const prefix = "io.modelcontextprotocol/";

/** The members of a request's `_meta` that the revision 2026-07-28 requires. */
export const requestMeta: JsonObject = {
  [`${prefix}protocolVersion`]: MODERN_REVISION,
  [`${prefix}clientCapabilities`]: {},
};

/** The member of a result's `_meta` with the name and version of the server. */
export const SERVER_INFO: string = `${prefix}serverInfo`;

/** The member of `_meta` with the revision of a request. Requests of earlier revisions do not have it. */
export const REVISION_MEMBER: string = `${prefix}protocolVersion`;
