import type { Diagnostic } from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import type { McpHandler, McpOutcome } from "./mcp-source.js";
import { bindingErrors } from "./served-server.js";
import type { ChosenSources, SessionParams } from "./session-servers.js";

/** The number of calls that a client has not answered, including cancelled ones. */
const MAX_UNANSWERED = 1_024;

/** The number of servers of one session, as in the gateway. */
const MAX_SERVERS = 256;

/** The maximum length of the name and of the id of a server, which stay in memory as long as the session is open. */
const MAX_ID_LENGTH = 1_024;

interface ForwardedCall {
  readonly settle: (outcome: McpOutcome) => void;
  readonly notify: (method: string, params: JsonObject) => void;
}

/** Forwards the calls of an agent to the client that serves the MCP servers of its sessions over ACP. */
export class ForwardedCalls {
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #prefix = `mcp-${globalThis.crypto.randomUUID()}-`;
  /** By the id of the request to the client. A cancelled call stays until the client has answered. */
  readonly #calls = new Map<unknown, ForwardedCall>();
  #count = 0;
  #send: ((message: JsonObject) => void) | undefined;

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report;
  }

  /** Begins to forward calls. @param send sends a message to the client. */
  start(send: (message: JsonObject) => void): void {
    this.#send = send;
  }

  /**
   * Returns the servers that the client serves over its connection, of those that it declares for a session. Servers
   * beyond the limits are left out, and reported.
   */
  sourcesOf({ mcpServers }: SessionParams & { readonly mcpServers?: unknown }): ChosenSources {
    const declared = (Array.isArray(mcpServers) ? mcpServers : []).filter(isAcpServer);
    const short = declared.filter(({ name, serverId }) => Math.max(name.length, serverId.length) <= MAX_ID_LENGTH);
    const servers = short.slice(0, MAX_SERVERS);
    this.#leaveOut(declared.length - short.length, `their names or ids have more than ${MAX_ID_LENGTH} characters`);
    this.#leaveOut(short.length - servers.length, `a session can have at most ${MAX_SERVERS} servers of its client`);
    return {
      key: JSON.stringify(servers.map(({ name, serverId }) => [name, serverId])),
      sources: () => servers.map(({ name, serverId }) => ({ name, open: () => this.#handler(serverId) })),
    };
  }

  /** Handles a message of the client. Returns whether it was about a forwarded call. */
  received(message: JsonObject): boolean {
    const { id, method, params } = message;
    if (method === undefined) {
      const call = this.#calls.get(id);
      if (call === undefined) return false;
      this.#calls.delete(id);
      call.settle(outcomeOf(message));
      return true;
    }
    if (method !== "mcp/message" || id !== undefined) return false;
    const { requestId, method: inner, params: more } = (isJsonObject(params) ? params : {}) as JsonObject;
    const call = this.#calls.get(requestId);
    if (typeof inner === "string") call?.notify(inner, isJsonObject(more) ? more : {});
    return call !== undefined;
  }

  /** Reports servers that the agent does not get, in one diagnostic, because a client can declare any number. */
  #leaveOut(count: number, reason: string): void {
    if (count === 0) return;
    const message = `MCP servers were left out (${count}): ${reason}`;
    this.#report({ code: "mcp_server_left_out", message, data: { count } });
  }

  #handler(serverId: string): McpHandler {
    return ({ method, params, signal, notify }) =>
      new Promise((settle) => {
        const send = this.#send;
        if (send === undefined) throw new TypeError("The bridge was not started");
        if (this.#calls.size >= MAX_UNANSWERED) {
          settle({ error: { code: bindingErrors.tooManyCalls, message: "The client does not answer" } });
          return;
        }
        this.#count += 1;
        const id = `${this.#prefix}${this.#count}`;
        this.#calls.set(id, { settle, notify });
        signal.addEventListener("abort", () => {
          if (this.#calls.has(id)) send({ jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: id } });
        });
        const call = { serverId, requestId: id, method, ...(params !== undefined && { params }) };
        send({ jsonrpc: "2.0", id, method: "mcp/message", params: call });
      });
  }
}

/** Whether an entry of `mcpServers` is a server that the client serves over its connection. */
export function isAcpServer(server: unknown): server is { readonly name: string; readonly serverId: string } {
  const { type, name, serverId } = (isJsonObject(server) ? server : {}) as JsonObject;
  return type === "acp" && typeof name === "string" && typeof serverId === "string";
}

/** Returns the outcome of MCP. An agent over HTTP or stdio has no other place for an error of ACP. */
function outcomeOf({ result, error }: JsonObject): McpOutcome {
  return (error === undefined ? result : { error }) as McpOutcome;
}
