import type { AgentOptions } from "@acp-kit/agent";
import { type Diagnostic, extension, linkedTransports, Peer, type V1ClientCalls, v1Client } from "@acp-kit/protocol";
import { checkV1Agent } from "@acp-kit/protocol/strict";
import type {
  ClientCapabilities,
  ContentBlock,
  IncomingSessionUpdate,
  InitializeResponse,
  KnownSessionUpdate,
  PromptResponse,
} from "@acp-kit/types";
import { everythingAgent } from "../src/everything-agent.js";
import type { EverythingOptions } from "../src/options.js";

/** One turn, from the view of the client. */
export interface Played {
  readonly response: PromptResponse;
  readonly updates: readonly KnownSessionUpdate[];
  /** The text of the agent's messages. */
  readonly text: string;
}

/** A client for tests. It checks every message of the agent against the schema, and keeps all updates. */
export interface TestClient extends AsyncDisposable {
  readonly peer: Peer<V1ClientCalls>;
  readonly agent: InitializeResponse;
  /** Every update, in order, with its session. */
  readonly updates: { readonly sessionId: string; readonly update: IncomingSessionUpdate }[];
  readonly diagnostics: Diagnostic[];
  newSession(): Promise<string>;
  prompt(sessionId: string, prompt: string | readonly ContentBlock[]): Promise<Played>;
  /** Returns the updates since the last call. */
  take(): KnownSessionUpdate[];
  /** Resolves with the next update for which `matches` returns `true`. */
  next(matches: (update: KnownSessionUpdate) => boolean): Promise<KnownSessionUpdate>;
}

/** How {@link connectClient} connects. */
export interface TestOptions {
  readonly capabilities?: ClientCapabilities;
  /** Registers the handlers of the client. */
  readonly handle?: (peer: Peer<V1ClientCalls>) => void;
  readonly everything?: EverythingOptions;
  readonly agent?: AgentOptions;
}

/** Every capability of a client. */
export const everyCapability: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
  _meta: { "acp-kit.dev": {} },
};

/** Connects a client to an everything agent, in memory. */
export async function connectClient(options: TestOptions = {}): Promise<TestClient> {
  const [left, right] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  everythingAgent(
    { paceMs: 0, ...options.everything },
    { checkOutgoing: checkV1Agent, onDiagnostic, ...options.agent },
  ).connect(left);
  const peer = new Peer(right, v1Client, {
    extensions: { "_acp-kit.dev/echo": extension(anything, (params) => params) },
  });
  const updates: TestClient["updates"] = [];
  let waiting: { fits: (update: KnownSessionUpdate) => boolean; resolve: (update: KnownSessionUpdate) => void }[] = [];
  peer.handleNotification("session/update", ({ sessionId, update }) => {
    updates.push({ sessionId, update });
    const served = waiting.filter(({ fits }) => fits(update as KnownSessionUpdate));
    waiting = waiting.filter((other) => !served.includes(other));
    for (const { resolve } of served) resolve(update as KnownSessionUpdate);
  });
  options.handle?.(peer);
  peer.connection.listen();
  const agent = (await peer.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
    clientInfo: { name: "test", version: "1" },
  })) as InitializeResponse;
  peer.setAgreement({ protocolVersion: agent.protocolVersion, capabilities: agent.agentCapabilities });

  const take = (): KnownSessionUpdate[] => updates.splice(0).map(({ update }) => update as KnownSessionUpdate);
  return {
    peer,
    agent,
    updates,
    diagnostics,
    take,
    next: (fits) => new Promise((resolve) => waiting.push({ fits, resolve })),
    async newSession() {
      return (await peer.request("session/new", { cwd: "/work", mcpServers: [] })).sessionId;
    },
    async prompt(sessionId, prompt) {
      take();
      const blocks: ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : [...prompt];
      const response = await peer.request("session/prompt", { sessionId, prompt: blocks });
      const played = take();
      return { response, updates: played, text: textOf(played) };
    },
    [Symbol.asyncDispose]: () => peer.connection.close(),
  };
}

/** Returns the text of all messages. */
export function textOf(updates: readonly KnownSessionUpdate[]): string {
  return updates
    .map((update) => {
      const isText = update.sessionUpdate === "agent_message_chunk" && update.content.type === "text";
      return isText ? (update.content as { text: string }).text : "";
    })
    .join("");
}

const anything = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};
