import { createGateway, memoryEngine } from "@acp-kit/gateway";
import type { GatewayCaller } from "@acp-kit/gateway/http";
import { type GatewayServer, serveGateway } from "@acp-kit/gateway/node";
import { tokenAuthentication } from "@acp-kit/http";
import { type AgentRecord, emptyRecord, startAgent } from "./agent.js";
import { RpcCaller } from "./rpc-caller.js";

/** A text that only its owner may receive. */
export const SECRET = "the-secret-of-ann";

export const tokens = {
  ann: "token-of-ann-3f6b0c",
  bob: "token-of-bob-91d2aa",
  /** A user with the same name in another tenant. */
  otherAnn: "token-of-other-ann-77c1",
  /** A user who may observe the sessions of ann. */
  observer: "token-of-observer-04be",
} as const;

export type Attacker = Exclude<keyof typeof tokens, "ann">;

const callers = new Map<string, GatewayCaller>([
  [tokens.ann, { tenant: "acme", user: "ann" }],
  [tokens.bob, { tenant: "acme", user: "bob" }],
  [tokens.otherAnn, { tenant: "other", user: "ann" }],
  [tokens.observer, { tenant: "acme", user: "ann", access: "observe" }],
]);

/** A server with ann's session: it has a secret, a running turn, and a pending permission request. */
export interface Rig {
  readonly server: GatewayServer;
  readonly record: AgentRecord;
  readonly ann: RpcCaller;
  readonly victim: Victim;
  /** The complete log. */
  readonly log: string[];
  /** Opens an initialized connection of an attacker. */
  attacker(who: Attacker): Promise<RpcCaller>;
  close(): Promise<void>;
}

/** The ids that an attacker is assumed to know. */
export interface Victim {
  readonly sessionId: string;
  /** A position in the session's journal. */
  readonly cursor: string;
  /** The id of ann's HTTP connection. */
  readonly connectionId: string;
  /** The id of ann's client on the server. */
  readonly clientId: string;
  /** The key of ann's prompt. */
  readonly promptKey: string;
}

export async function startRig(): Promise<Rig> {
  const record = emptyRecord();
  const log: string[] = [];
  const gateway = await createGateway({
    engine: memoryEngine(),
    start: () => startAgent(record),
    onEvent: (event) => void log.push(JSON.stringify(event)),
    onDiagnostic: ({ code, message }) => void log.push(`${code}: ${message}`),
  });
  const server = await serveGateway(gateway, {
    authenticate: tokenAuthentication(callers),
    onDiagnostic: ({ message }) => void log.push(message),
    onError: (error) => void log.push(String(error)),
  });
  const ann = await RpcCaller.open(server, tokens.ann, { client: true });
  const { sessionId } = (await ann.request("session/new", { cwd: "/home/ann", mcpServers: [] })).result as {
    sessionId: string;
  };
  const promptKey = "key-of-ann";
  const prompt = [{ type: "text", text: `hold ${SECRET}` }];
  void ann.request("session/prompt", { sessionId, prompt, _meta: { "acp-kit/key": promptKey } });
  await ann.until(() => ann.requests.length === 1);
  const httpConnection = await fetch(server.url, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.ann}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } }),
  });
  await httpConnection.text();
  const victim: Victim = {
    sessionId,
    promptKey,
    cursor: ann.cursor,
    connectionId: httpConnection.headers.get("acp-connection-id") ?? "",
    clientId: ann.clientId,
  };
  const opened: RpcCaller[] = [ann];
  return {
    ...{ server, record, ann, victim, log },
    async attacker(who) {
      const caller = await RpcCaller.open(server, tokens[who]);
      opened.push(caller);
      return caller;
    },
    async close() {
      await Promise.all(opened.map((caller) => caller.close()));
      await server.close();
      await gateway.close();
    },
  };
}
