import {
  type AgentDefinition,
  type AgentOptions,
  type ClientConnection,
  createAgent,
  type Diagnostic,
  linkedTransports,
} from "@acp-kit/agent";
import { Peer, type V1ClientCalls, v1Client } from "@acp-kit/protocol";
import type { InitializeResponse, SessionNotification } from "@acp-kit/types";
import { onTestFinished } from "vitest";

/**
 * A client without `@acp-kit/client`. `heard` returns the updates that it has received, in order: the text of each
 * chunk, and the kind of each other update.
 */
export interface Connected {
  readonly connection: ClientConnection;
  readonly peer: Peer<V1ClientCalls>;
  readonly initialized: InitializeResponse;
  /** The updates without those of the session's title, which `titles` has. */
  readonly updates: SessionNotification["update"][];
  readonly titles: unknown[];
  readonly diagnostics: Diagnostic[];
  heard(): string[];
}

/** Connects an agent to a client without `@acp-kit/client`. Both ends close after the test. */
export async function connect(definition: AgentDefinition, options: AgentOptions = {}): Promise<Connected> {
  const [agentSide, clientSide] = linkedTransports();
  const updates: SessionNotification["update"][] = [];
  const diagnostics: Diagnostic[] = [];
  const connection = createAgent(definition, {
    ...options,
    onDiagnostic: (one) => diagnostics.push(one),
  }).connect(agentSide);
  const peer: Peer<V1ClientCalls> = new Peer(clientSide, v1Client, {});
  const titles: unknown[] = [];
  peer.handleNotification("session/update", ({ update }) => {
    if (update.sessionUpdate === "session_info_update") titles.push((update as { title?: unknown }).title);
    else updates.push(update as SessionNotification["update"]);
  });
  onTestFinished(async () => {
    await Promise.all([connection.close(), peer.connection.close()]);
  });
  peer.connection.listen();
  const initialized = (await peer.request("initialize", { protocolVersion: 1 })) as InitializeResponse;
  peer.setAgreement({ protocolVersion: 1, capabilities: initialized.agentCapabilities });
  const heard = () =>
    updates.map((update) =>
      "content" in update && update.sessionUpdate.endsWith("_chunk")
        ? ((update.content as { text?: string }).text ?? "?")
        : update.sessionUpdate,
    );
  return { connection, peer, initialized, updates, titles, diagnostics, heard };
}

export const newSession = async ({ peer }: Connected): Promise<string> =>
  (await peer.request("session/new", { cwd: "/work", mcpServers: [] })).sessionId;
export const load = ({ peer }: Connected, sessionId: string) =>
  peer.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
export const resume = ({ peer }: Connected, sessionId: string) =>
  peer.request("session/resume", { sessionId, cwd: "/work", mcpServers: [] });
export const prompt = ({ peer }: Connected, sessionId: string, text: string) =>
  peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

/** An event that a test triggers. */
export function signal(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}
