import { type AgentDefinition, type AgentOptions, type ClientConnection, createAgent } from "@acp-kit/agent";
import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { expect, onTestFinished } from "vitest";
import { v2 } from "../src/agent/index.js";
import { turn } from "./bridged.js";
import { type RawPeer, rawPeer, updatesOf } from "./peers.js";

type Json = Record<string, unknown>;

export interface ConnectedAgent {
  /** The client: it checks each message of the agent against the schema. */
  readonly client: RawPeer;
  readonly connection: ClientConnection;
  readonly diagnostics: Diagnostic[];
  /** What the client has received, in order, in short. */
  log(): string[];
  /** Sends a prompt and returns the id of the request. */
  prompt(text: string): unknown;
  states(): Json[];
  /** Resolves when the client has received a message that {@link log} shows as this line. */
  until(line: string): Promise<void>;
}

export interface AgentSetup {
  readonly definition?: Partial<AgentDefinition>;
  readonly options?: AgentOptions;
  readonly version?: 1 | 2;
  readonly initialize?: object;
}

/** Connects an agent of both versions with a scripted client. Nothing invalid may be sent until the end of the test. */
export function connectV2({ definition, options }: AgentSetup = {}): ConnectedAgent {
  const [agentEnd, clientEnd] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent(
    {
      info: { name: "test", version: "1" },
      newSession: () => ({ sessionId: "s" }),
      prompt: async () => "end_turn",
      ...definition,
    },
    { versions: [v2], onDiagnostic: (diagnostic) => diagnostics.push(diagnostic), ...options },
  );
  const connection = agent.connect(agentEnd);
  const client = rawPeer(clientEnd, { side: "client" });
  onTestFinished(async () => {
    await client.close();
    await connection.close();
    expect(client).toHaveConformantDialogue();
  });
  return {
    client,
    connection,
    diagnostics,
    log: () => client.receivedSoFar().map((message) => shortOf(message as Json)),
    prompt: (text) => client.request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text }] }).id,
    until: async (line) => void (await client.received((message) => shortOf(message as Json) === line)),
    states: () => updatesOf(client).filter(({ sessionUpdate }) => sessionUpdate === "state_update"),
  };
}

/** An agent with the session `s`. */
export async function v2AgentSession(setup: AgentSetup = {}): Promise<ConnectedAgent> {
  const connected = connectV2(setup);
  const { client } = connected;
  const { version = 2, initialize } = setup;
  client.request("initialize", {
    protocolVersion: version,
    ...(version === 2
      ? { info: { name: "c", version: "1" }, capabilities: { elicitation: { form: {} } } }
      : { clientInfo: { name: "c", version: "1" } }),
    ...initialize,
  });
  await turn();
  client.request("session/new", { cwd: "/work", ...(version === 1 && { mcpServers: [] }) });
  await turn();
  client.forget();
  return connected;
}

function shortOf({ method, params, result, error, id }: Json): string {
  if (method === "session/update") return updateOf((params as { update: Json }).update);
  if (typeof method === "string") return method;
  return error === undefined ? `response ${id} ${JSON.stringify(result)}` : `error ${(error as { code: number }).code}`;
}

function updateOf({ sessionUpdate, state, stopReason, content, toolCallId, status, background }: Json): string {
  const text = (content as { text?: string } | undefined)?.text;
  const listed = (background as Json[] | undefined)?.map((work) => work.terminalId ?? work.toolCallId).join(",");
  const words = [state ?? sessionUpdate, stopReason, text, toolCallId, status, listed && `[${listed}]`];
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}
