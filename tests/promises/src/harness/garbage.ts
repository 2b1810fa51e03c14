import type { AgentDefinition } from "@acp-kit/agent";
import type { connectAgent } from "@acp-kit/client";
import type { Decoder } from "@acp-kit/types/decode";
import fc from "fast-check";
import { largeJson, orLarge } from "./large.js";
import { agentMethods, clientMethods } from "./malformed.js";
import { nearlyRight } from "./nearly-right.js";

/** Records values that reach a handler although they violate the schema. */
export class Judge {
  readonly untyped: unknown[] = [];
  reached = 0;
  readonly #decoders: Readonly<Record<string, Decoder<unknown>>>;

  constructor(decoders: object) {
    this.#decoders = decoders as Readonly<Record<string, Decoder<unknown>>>;
  }

  check(method: string, params: unknown): void {
    this.reached += 1;
    const verdict = this.#decoders[method]?.try(structuredClone(params));
    if (!verdict?.ok || verdict.salvaged.length > 0) this.untyped.push({ method, params, verdict });
  }
}

const requestsOf = (methods: typeof agentMethods): object[] =>
  methods.flatMap(({ method, params }, id) => [
    { jsonrpc: "2.0", id, method, params },
    { jsonrpc: "2.0", method, params },
  ]);

/** Valid messages of a client. */
export const toAgent = [
  ...requestsOf(agentMethods),
  { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "session-1" } },
  { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } },
  { jsonrpc: "2.0", id: 1, result: { outcome: { outcome: "cancelled" } } },
  { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } },
];

const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" }, messageId: "m" };
const call = {
  toolCallId: "t",
  title: "T",
  kind: "edit",
  status: "pending",
  content: [{ type: "diff", path: "/a", newText: "" }],
  locations: [{ path: "/a", line: 1 }],
};
const updates = [
  chunk,
  { sessionUpdate: "tool_call", ...call },
  { sessionUpdate: "tool_call_update", ...call },
  { sessionUpdate: "plan", entries: [{ content: "c", priority: "low", status: "pending" }] },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "n", description: "d", input: { hint: "h" } }],
  },
  { sessionUpdate: "current_mode_update", currentModeId: "m" },
  {
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "i", name: "n", type: "boolean", currentValue: true }],
  },
  { sessionUpdate: "session_info_update", title: "t", updatedAt: "2026-01-01T00:00:00Z" },
  { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "EUR" } },
];

/** Valid messages of an agent. */
export const toClient = [
  ...requestsOf(clientMethods),
  ...updates.map((update) => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "session-1", update },
  })),
  { jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId: "e" } },
  { jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } },
];

/** Random values (some of them long or deep), and messages that are nearly right. */
export const garbage = (messages: readonly object[]): fc.Arbitrary<unknown[]> =>
  fc.array(
    fc.oneof(
      { arbitrary: orLarge(fc.jsonValue(), largeJson), weight: 1 },
      { arbitrary: nearlyRight(messages), weight: 5 },
    ),
    {
      minLength: 20,
      maxLength: 40,
    },
  );

/** An agent definition whose handlers only check their params. */
export function judgingAgent(judge: Judge): AgentDefinition {
  const handler = (method: string) => (params: unknown) => judge.check(method, params);
  return {
    info: { name: "judge", version: "1.0.0" },
    newSession(params) {
      judge.check("session/new", params);
      return { sessionId: "session-1" };
    },
    async prompt(turn) {
      judge.check("session/prompt", turn.request);
    },
    listSessions(params) {
      judge.check("session/list", params);
      return { sessions: [] };
    },
    setSessionConfigOption(params) {
      judge.check("session/set_config_option", params);
      return { configOptions: [] };
    },
    loadSession: handler("session/load"),
    resumeSession: handler("session/resume"),
    closeSession: handler("session/close"),
    deleteSession: handler("session/delete"),
    setSessionMode: handler("session/set_mode"),
    authMethods: [{ id: "token", name: "Token" }],
    authenticate: handler("authenticate"),
    logout: handler("logout"),
    promptContent: { image: true, audio: true, embeddedContext: true },
    mcpTransports: { http: true, sse: true },
    additionalDirectories: true,
  };
}

/** Client options whose handlers only check their params. */
export function judgingClient(judge: Judge): Parameters<typeof connectAgent>[1] {
  return {
    onUpdate: (update, { session }) => judge.check("session/update", { sessionId: session.sessionId, update }),
    permissions: async (params) => {
      judge.check("session/request_permission", params);
      return undefined;
    },
    files: {
      readTextFile(params) {
        judge.check("fs/read_text_file", params);
        return { content: "" };
      },
      writeTextFile: (params) => judge.check("fs/write_text_file", params),
    },
    terminals: {
      createTerminal(params) {
        judge.check("terminal/create", params);
        return { terminalId: "t" };
      },
      terminalOutput(params) {
        judge.check("terminal/output", params);
        return { output: "", truncated: false };
      },
      waitForTerminalExit(params) {
        judge.check("terminal/wait_for_exit", params);
        return {};
      },
      killTerminal: (params) => judge.check("terminal/kill", params),
      releaseTerminal: (params) => judge.check("terminal/release", params),
    },
    elicitation: {
      form(params) {
        judge.check("elicitation/create", params);
        return { action: "cancel" };
      },
      url(params) {
        judge.check("elicitation/create", params);
        return { action: "cancel" };
      },
      onComplete: (elicitationId) => judge.check("elicitation/complete", { elicitationId }),
    },
  };
}
