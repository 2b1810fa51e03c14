import { type AgentDefinition, createAgent, type Diagnostic, linkedTransports } from "@acp-kit/agent";
import {
  type AgentConnection,
  type ConnectAgentOptions,
  connectAgent,
  type Session,
  type Transport,
} from "@acp-kit/client";
import type { IncomingSessionUpdate, PromptResponse, RequestPermissionRequest } from "@acp-kit/types";
import { onTestFinished } from "vitest";

/** Runs an agent in this process until the end of the test, and returns the client's transport to it. */
export function served(definition: AgentDefinition, diagnostics: Diagnostic[] = []): Transport {
  const [agentSide, clientSide] = linkedTransports();
  const agent = createAgent(definition, { onDiagnostic: (one) => diagnostics.push(one) }).connect(agentSide);
  onTestFinished(() => agent.close());
  return clientSide;
}

export interface Connected {
  readonly client: AgentConnection;
  readonly session: Session;
  readonly diagnostics: Diagnostic[];
}

export async function connect(
  definition: AgentDefinition,
  { asked: _, ...options }: ConnectAgentOptions & { readonly asked?: unknown } = {},
): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  const client = await connectAgent(served(definition, diagnostics), options);
  onTestFinished(() => client.close());
  return { client, session: await client.newSession({ cwd: "/work" }), diagnostics };
}

export interface Played extends PromptResponse {
  readonly updates: readonly IncomingSessionUpdate[];
}

/** Runs a turn to its end. `on` is called with each update. */
export async function play(
  session: Session,
  prompt: string,
  on: (update: IncomingSessionUpdate, cancel: () => void) => void = () => {},
): Promise<Played> {
  const turn = session.prompt(prompt);
  const updates: IncomingSessionUpdate[] = [];
  for await (const update of turn) {
    updates.push(update);
    on(update, () => turn.cancel());
  }
  return { ...(await turn.result), updates };
}

/** Formats each update as one line with its most relevant members. */
export function lines(updates: readonly IncomingSessionUpdate[]): string[] {
  return updates.map((update) => {
    const { sessionUpdate, content, status, toolCallId, rawOutput } = update as unknown as Record<string, unknown>;
    if (sessionUpdate === "agent_message_chunk" || sessionUpdate === "agent_thought_chunk") {
      const block = content as { type: string; text?: string };
      return `${sessionUpdate === "agent_message_chunk" ? "says" : "thinks"} ${block.text ?? block.type}`;
    }
    if (toolCallId === undefined) return String(sessionUpdate);
    const output = rawOutput === undefined ? "" : ` ${JSON.stringify(rawOutput)}`;
    return `${sessionUpdate} ${toolCallId}${status === undefined ? "" : ` ${status}`}${output}`;
  });
}

/** Responds to every permission request with the option of the given kind, and records the requests. */
export function answering(kind: string): ConnectAgentOptions & { readonly asked: RequestPermissionRequest[] } {
  const asked: RequestPermissionRequest[] = [];
  return {
    asked,
    permissions: async (request) => {
      asked.push(request as RequestPermissionRequest);
      return kind as "allow_once";
    },
  };
}

/** An event that a test triggers. */
export function signal(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}
