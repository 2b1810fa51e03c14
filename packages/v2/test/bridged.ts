import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { expect, onTestFinished } from "vitest";
import { type BridgeVersionsOptions, bridgeVersions } from "../src/bridge/index.js";
import { type RawPeer, rawPeer } from "./peers.js";

/** Resolves when all pending code has run, except code that waits for a timer or I/O. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export interface Bridged {
  readonly client: RawPeer;
  readonly agent: RawPeer;
  readonly diagnostics: Diagnostic[];
  /** Peers that get messages which the schema of their version does not have. */
  readonly unchecked: Set<RawPeer>;
  /** The kinds of loss that were reported. */
  lost(): unknown[];
}

/** Connects two scripted peers through a bridge. At the end of the test, nothing invalid may have been sent. */
export function bridged(options: BridgeVersionsOptions = {}): Bridged {
  const [agentEnd, bridgeEnd] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const transport = bridgeVersions(bridgeEnd, {
    ...options,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const pair = {
    client: rawPeer(transport, { side: "client" }),
    agent: rawPeer(agentEnd),
    diagnostics,
    unchecked: new Set<RawPeer>(),
    lost: () =>
      diagnostics.filter(({ code }) => code === "version_loss").map(({ data }) => (data as { kind: unknown }).kind),
  };
  onTestFinished(async () => {
    await pair.client.close();
    await pair.agent.close();
    for (const peer of [pair.client, pair.agent])
      if (!pair.unchecked.has(peer)) expect(peer).toHaveConformantDialogue();
  });
  return pair;
}

export const v1Params = { protocolVersion: 1, clientInfo: { name: "c", version: "1" }, clientCapabilities: {} };
export const v2Params = {
  protocolVersion: 2,
  info: { name: "c", version: "1" },
  capabilities: { elicitation: { form: {} } },
};
export const v1Result = {
  protocolVersion: 1,
  agentInfo: { name: "a", version: "1" },
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} } },
};
export const v2Result = { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } };

/** A client of version 1 and an agent of version 2, initialized, with the session `s`. */
export async function v1ClientV2Agent(
  options: BridgeVersionsOptions = {},
  { params = v1Params, result = v2Result }: { params?: object; result?: object } = {},
): Promise<Bridged> {
  const pair = bridged({ prefer: 2, ...options });
  pair.client.request("initialize", params);
  await turn();
  pair.agent.respond(pair.agent.lastReceived("initialize").id, result);
  await turn();
  return openSession(pair, { cwd: "/work", mcpServers: [] });
}

/** A client of version 2 and an agent of version 1, initialized, with the session `s`. */
export async function v2ClientV1Agent(
  options: BridgeVersionsOptions = {},
  { result = v1Result, opened = {} }: { result?: object; opened?: object } = {},
): Promise<Bridged> {
  const pair = bridged(options);
  pair.client.request("initialize", v2Params);
  await turn();
  pair.agent.respond(pair.agent.lastReceived("initialize").id, result);
  await turn();
  return openSession(pair, { cwd: "/work" }, opened);
}

async function openSession(pair: Bridged, params: object, opened: object = {}): Promise<Bridged> {
  pair.client.request("session/new", params);
  await turn();
  pair.agent.respond(pair.agent.lastReceived("session/new").id, { sessionId: "s", ...opened });
  await turn();
  pair.client.forget();
  pair.agent.forget();
  return pair;
}

export const text = (content: string): { type: "text"; text: string } => ({ type: "text", text: content });
