import { type Diagnostic, linkedTransports, Peer, type V1ClientCalls, v1Client } from "@acp-kit/protocol";
import type { ClientCapabilities, InitializeResponse, SessionNotification } from "@acp-kit/types";
import { onTestFinished, vi } from "vitest";
import type { AgentDefinition } from "../src/agent-definition.js";
import type { AgentOptions } from "../src/agent-options.js";
import type { ClientConnection } from "../src/client-connection.js";
import { createAgent } from "../src/create-agent.js";

export type ClientPeer = Peer<V1ClientCalls>;

export interface Setup extends AgentOptions {
  readonly definition?: Partial<AgentDefinition>;
  readonly capabilities?: ClientCapabilities;
  readonly client?: (peer: ClientPeer) => void;
}

export interface Connected {
  readonly connection: ClientConnection;
  readonly peer: ClientPeer;
  readonly initialized: InitializeResponse;
  /** What the agent sent, in order: `update:<variant>`, the method of a request, or `response:<id>`. */
  readonly sent: string[];
  readonly updates: SessionNotification[];
  readonly diagnostics: Diagnostic[];
}

/**
 * Connects an agent to a `Peer` without the client library, so that the test controls every message. Both ends close
 * after the test.
 */
export async function connect({ definition, capabilities = {}, client, ...options }: Setup = {}): Promise<Connected> {
  const [agentSide, clientSide] = linkedTransports();
  const sent: string[] = [];
  const updates: SessionNotification[] = [];
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent(
    {
      info: { name: "test", version: "1" },
      newSession: () => ({ sessionId: "s1" }),
      prompt: async () => "end_turn",
      ...definition,
    },
    { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic), ...options },
  );
  const connection = agent.connect(agentSide);
  const peer: ClientPeer = new Peer(clientSide, v1Client, {
    tap({ direction, message }) {
      if (direction !== "received") return;
      const { method, params, id } = message as {
        method?: string;
        params?: { update?: { sessionUpdate: string } };
        id?: unknown;
      };
      if (method === "session/update") sent.push(`update:${params?.update?.sessionUpdate}`);
      else sent.push(method ?? `response:${id}`);
    },
  });
  peer.handleNotification("session/update", (notification) => void updates.push(notification as SessionNotification));
  client?.(peer);
  onTestFinished(async () => {
    vi.useRealTimers();
    await Promise.all([connection.close(), peer.connection.close()]);
  });
  peer.connection.listen();
  const initialized = (await peer.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: "client", version: "1" },
  })) as InitializeResponse;
  peer.setAgreement({ protocolVersion: initialized.protocolVersion, capabilities: initialized.agentCapabilities });
  sent.length = 0;
  return { connection, peer, initialized, sent, updates, diagnostics };
}

export const newSession = (peer: ClientPeer): Promise<unknown> =>
  peer.request("session/new", { cwd: "/work", mcpServers: [] });
export const prompt = (peer: ClientPeer, text = "go"): ReturnType<typeof promptOf> => promptOf(peer, text);
const promptOf = (peer: ClientPeer, text: string) =>
  peer.request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] });

export async function withSession(setup: Setup = {}): Promise<Connected> {
  const connected = await connect(setup);
  await newSession(connected.peer);
  connected.sent.length = 0;
  return connected;
}

/** A promise that the test resolves. */
export function signal(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}
