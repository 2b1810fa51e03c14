import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { expect, onTestFinished } from "vitest";
import { type BridgeVersionsOptions, bridgeVersions } from "../src/bridge/index.js";
import { RawPeer } from "./raw-peer.js";

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
  /** The kinds of loss that were reported. */
  lost(): unknown[];
}

/** Connects two scripted peers through a bridge. At the end of the test, nothing invalid may have been sent. */
export function bridged(client: 1 | 2, agent: 1 | 2, options: BridgeVersionsOptions = {}): Bridged {
  const [agentEnd, bridgeEnd] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const transport = bridgeVersions(bridgeEnd, {
    ...options,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const pair = {
    client: new RawPeer(transport, `agent ${client}`),
    agent: new RawPeer(agentEnd, `client ${agent}`),
    diagnostics,
    lost: () =>
      diagnostics.filter(({ code }) => code === "version_loss").map(({ data }) => (data as { kind: unknown }).kind),
  };
  onTestFinished(async () => {
    await pair.client.close();
    await pair.agent.close();
    expect([...pair.client.faults, ...pair.agent.faults]).toEqual([]);
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
  const pair = bridged(1, 2, { prefer: 2, ...options });
  pair.client.request("initialize", params);
  await turn();
  pair.agent.respond(pair.agent.asked("initialize").id, result);
  await turn();
  return openSession(pair, { cwd: "/work", mcpServers: [] });
}

/** A client of version 2 and an agent of version 1, initialized, with the session `s`. */
export async function v2ClientV1Agent(
  options: BridgeVersionsOptions = {},
  { result = v1Result, opened = {} }: { result?: object; opened?: object } = {},
): Promise<Bridged> {
  const pair = bridged(2, 1, options);
  pair.client.request("initialize", v2Params);
  await turn();
  pair.agent.respond(pair.agent.asked("initialize").id, result);
  await turn();
  return openSession(pair, { cwd: "/work" }, opened);
}

async function openSession(pair: Bridged, params: object, opened: object = {}): Promise<Bridged> {
  pair.client.request("session/new", params);
  await turn();
  pair.agent.respond(pair.agent.asked("session/new").id, { sessionId: "s", ...opened });
  await turn();
  pair.client.clear();
  pair.agent.clear();
  return pair;
}

export const text = (content: string): { type: "text"; text: string } => ({ type: "text", text: content });
