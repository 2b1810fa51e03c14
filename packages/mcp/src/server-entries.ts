import type { Diagnostic, Transport } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import type { BridgeAddresses } from "./bridge-addresses.js";
import type { ServedServer } from "./served-server.js";
import type { DeclaredSession } from "./session-servers.js";

/** What the entries of servers need. */
export interface ServerEntriesParts {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Creates addresses for agents without `acp`. */
  readonly addresses: BridgeAddresses | undefined;
}

/** How an agent reaches a server. */
type ServerWay = "acp" | "http" | "stdio";

/** The entries of servers in the lists `mcpServers` that one agent gets. */
export class ServerEntries {
  readonly #agent: Transport;
  readonly #parts: ServerEntriesParts;
  #version = 1;
  #ways: readonly ServerWay[] = [];
  #isEnded = false;

  constructor(agent: Transport, parts: ServerEntriesParts) {
    this.#agent = agent;
    this.#parts = parts;
  }

  /** The version of the connection. */
  get version(): number {
    return this.#version;
  }

  /** Whether the agent has no `acp`, and can reach addresses on this machine. */
  get isBridged(): boolean {
    if (this.#ways.includes("acp") || this.#localWay === undefined) return false;
    return this.#parts.addresses?.reaches(this.#agent.command) === true;
  }

  /** Reads the agent's result of `initialize`. */
  initialized(result: JsonObject): void {
    this.#version = Number(result.protocolVersion);
    this.#ways = offeredWays(result);
  }

  /** Called when the connection has ended. Addresses that are being opened close again. */
  end(): void {
    this.#isEnded = true;
  }

  /** Returns the entry of a server, in the first way that the agent supports; an empty list if there is none. */
  of(server: ServedServer, session: DeclaredSession): JsonObject[] | Promise<JsonObject[]> {
    const { name, serverId } = server;
    if (this.#ways.includes("acp")) return [{ type: "acp", name, serverId }];
    const { addresses } = this.#parts;
    if (addresses === undefined)
      return this.leaveOut(
        server,
        "the agent did not advertise MCP over ACP. In Node, use serveMcp of @acp-kit/mcp/node",
      );
    if (!addresses.reaches(this.#agent.command))
      return this.leaveOut(server, "the agent did not advertise MCP over ACP, and does not run on this machine");
    const way = this.#localWay;
    if (way === undefined) return this.leaveOut(server, "the agent supports neither acp nor http nor stdio servers");
    const known = session.addresses.get(server);
    if (known !== undefined) return [this.#inVersion(known.entry)];
    return addresses.open(server, way).then(
      (address) => {
        if (this.#isEnded) address.close();
        else session.addresses.set(server, address);
        return [this.#inVersion(address.entry)];
      },
      (cause) => this.leaveOut(server, "its address on this machine could not be opened", cause),
    );
  }

  /** Reports that the agent does not get a server. */
  leaveOut({ name }: ServedServer, reason: string, cause?: unknown): [] {
    const message = `MCP server "${name}" was left out: ${reason}`;
    this.#parts.report({ code: "mcp_server_left_out", message, data: { name }, ...(cause !== undefined && { cause }) });
    return [];
  }

  get #localWay(): "http" | "stdio" | undefined {
    return this.#ways.find((way) => way !== "acp");
  }

  /** Converts an entry to the version of the connection: in version 2, each entry has a type. */
  #inVersion(entry: JsonObject): JsonObject {
    return this.#version === 1 || "type" in entry ? entry : { type: "stdio", ...entry };
  }
}

/** Returns the response to `initialize` of an agent that also supports servers over ACP. */
export function withAcp(response: JsonObject, version: number): JsonObject {
  const path = version === 1 ? ["agentCapabilities", "mcpCapabilities"] : ["capabilities", "session", "mcp"];
  return withMember(response, ["result", ...path, "acp"], version === 1 ? true : {});
}

/** Returns the ways that the result of `initialize` offers, the best first. */
function offeredWays({ protocolVersion, agentCapabilities, capabilities }: JsonObject): ServerWay[] {
  const isFirst = Number(protocolVersion) === 1;
  const mcp = isFirst
    ? memberOf(agentCapabilities, "mcpCapabilities")
    : memberOf(memberOf(capabilities, "session"), "mcp");
  const ways: readonly ServerWay[] = ["acp", "http", "stdio"];
  // Every agent of version 1 starts servers
  return ways.filter((way) => memberOf(mcp, way) || (isFirst && way === "stdio"));
}

function withMember(value: unknown, [name = "", ...rest]: readonly string[], last: unknown): JsonObject {
  const object = isJsonObject(value) ? value : {};
  return { ...object, [name]: rest.length === 0 ? last : withMember(object[name], rest, last) };
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
