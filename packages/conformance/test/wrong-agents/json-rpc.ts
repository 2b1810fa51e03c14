import { adds, changes, failed, isUpdate, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const jsonRpcWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "RPC-04",
    does: "never responds to a prompt that overlaps another",
    shows: ["prompt/overlapping"],
    mutation: {
      receive: (message, agent) =>
        message.method === "session/prompt" && agent.sessions.get(message.params.sessionId)?.stop !== undefined,
    },
  },
  {
    rule: "RPC-05",
    does: "responds to a notification",
    shows: ["json-rpc/notifications"],
    mutation: {
      receive: (message, agent) =>
        message.method === "$/conformance"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "?" } }), true)
          : false,
    },
  },
  {
    rule: "RPC-03",
    does: "responds with a result and an error",
    shows: ["prompt/text", "watch/kinds-of-messages"],
    mutation: changes(
      (message) => message.result?.stopReason === "end_turn",
      (message) => (message.error = { code: 1, message: "Both" }),
    ),
  },
  {
    fails: "json-rpc/ids",
    also: ["watch/answers"],
    mutation: changes(
      (message) => message.id === "7" && "error" in message,
      (message) => (message.id = 7),
    ),
  },
  {
    fails: "json-rpc/notifications",
    mutation: {
      receive: (message, agent) =>
        message.method === "conformance/unknown"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "?" } }), true)
          : false,
    },
  },
  { fails: "json-rpc/unknown-method", mutation: responds("no/such", failed) },
  {
    fails: "json-rpc/unknown-extension",
    mutation: { receive: ({ method }) => method?.startsWith("_acp-kit.invalid/") === true },
  },
  {
    fails: "json-rpc/positional-params",
    mutation: {
      receive: (message) => (
        Array.isArray(message.params) && (message.params = { cwd: message.params[0], mcpServers: [] }), false
      ),
    },
  },
  {
    fails: "json-rpc/stray-response",
    mutation: {
      receive: (message, agent) =>
        message.id === "ghost"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "?" } }), true)
          : false,
    },
  },
  {
    fails: "json-rpc/not-json",
    mutation: changes(
      (message) => message.error?.code === -32700,
      ({ error }) => (error.code = -32603),
    ),
  },
  {
    fails: "json-rpc/not-a-request",
    mutation: { write: (message) => (message.error?.code === -32600 && message.id === null ? [] : undefined) },
  },
  { fails: "json-rpc/batch", mutation: { receiveLine: (line, agent) => line.startsWith("[") && (agent.ended = true) } },
  {
    fails: "json-rpc/errors-end-nothing",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/new" && message.params.cwd === 5
          ? ((agent.loggedOut = true), (agent.initialized = false), false)
          : false,
    },
  },
  {
    fails: "json-rpc/while-a-turn-runs",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/new" && [...agent.sessions.values()].some(({ stop }) => stop !== undefined),
    },
  },
  { fails: "watch/json-rpc-2.0", mutation: changes(isUpdate("plan"), (message) => delete message.jsonrpc) },
  {
    fails: "watch/kinds-of-messages",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1, method: "_x", result: {} }]),
  },
  {
    fails: "watch/ids",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1.5, method: "_x", params: {} }]),
  },
  {
    fails: "watch/answers",
    mutation: adds(
      (message) => message.result?.stopReason,
      (message) => [message],
    ),
  },
  {
    fails: "watch/params",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "elicitation/complete", params: [1] }]),
    also: ["watch/elicitation-complete", "watch/schema/notifications"],
  },
  {
    fails: "watch/method-names",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "session/progress", params: {} }]),
  },
];
