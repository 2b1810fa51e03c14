import { type AgentConnection, type ConnectAgentOptions, connectAgent, type Session } from "@acp-kit/client";
import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { expect, onTestFinished } from "vitest";
import { v2 } from "../src/client/index.js";
import { turn, v2Result } from "./bridged.js";
import { type RawPeer, rawPeer } from "./peers.js";

export const info = { name: "c", version: "1" };

export interface Connected {
  readonly client: AgentConnection;
  /** A scripted agent of version 2. */
  readonly agent: RawPeer;
  readonly diagnostics: Diagnostic[];
  /** The compatibility rules that were reported. */
  rules(): unknown[];
}

/** Connects our client with a scripted agent. At the end of the test, the client may have sent nothing invalid. */
export async function connected(options: ConnectAgentOptions = {}, result: object = v2Result): Promise<Connected> {
  const [agentEnd, clientEnd] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const agent = rawPeer(agentEnd);
  const connecting = connectAgent(clientEnd, {
    info,
    versions: [v2],
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  connecting.catch(() => {});
  await turn();
  agent.respond(agent.lastReceived("initialize").id, result);
  const client = await connecting;
  onTestFinished(async () => {
    await client.close();
    expect(agent).toHaveConformantDialogue();
  });
  const rules = (): unknown[] =>
    diagnostics.filter(({ code }) => code === "dialect").map(({ data }) => (data as { rule: unknown }).rule);
  return { client, agent, diagnostics, rules };
}

/** Opens the session `s`. */
export async function withSession(
  options: ConnectAgentOptions = {},
  opened: object = {},
  result: object = v2Result,
): Promise<Connected & { readonly session: Session }> {
  const pair = await connected(options, result);
  const opening = pair.client.newSession({ cwd: "/work" });
  await turn();
  pair.agent.respond(pair.agent.lastReceived("session/new").id, { sessionId: "s", ...opened });
  const session = await opening;
  pair.agent.forget();
  return { ...pair, session };
}

export const running = { sessionUpdate: "state_update", state: "running" };
export const idle = (stopReason?: string, more: object = {}): object => ({
  sessionUpdate: "state_update",
  state: "idle",
  ...(stopReason !== undefined && { stopReason }),
  ...more,
});
export const chunk = (text: string, messageId = "a1"): object => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});
export const userMessage = (text: string, messageId: string): object => ({
  sessionUpdate: "user_message",
  messageId,
  content: [{ type: "text", text }],
});
