import { adds, changes, failed, failing, isUpdate, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const jsonRpcWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "json-rpc/notifications": {
      receive: (message, agent) =>
        message.method === "conformance/unknown"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "?" } }), true)
          : false,
    },
    "json-rpc/unknown-method": responds("no/such", failed),
    "json-rpc/unknown-extension": { receive: ({ method }) => method?.startsWith("_acp-kit.invalid/") === true },
    "json-rpc/positional-params": {
      receive: (message) => (
        Array.isArray(message.params) && (message.params = { cwd: message.params[0], mcpServers: [] }), false
      ),
    },
    "json-rpc/stray-response": {
      receive: (message, agent) =>
        message.id === "ghost"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "?" } }), true)
          : false,
    },
    "json-rpc/not-json": changes(
      (message) => message.error?.code === -32700,
      ({ error }) => (error.code = -32603),
    ),
    "json-rpc/not-a-request": {
      write: (message) => (message.error?.code === -32600 && message.id === null ? [] : undefined),
    },
    "json-rpc/batch": { receiveLine: (line, agent) => line.startsWith("[") && (agent.ended = true) },
    "json-rpc/errors-end-nothing": {
      receive: (message, agent) =>
        message.method === "session/new" && message.params.cwd === 5
          ? ((agent.loggedOut = true), (agent.initialized = false), false)
          : false,
    },
    "json-rpc/while-a-turn-runs": {
      receive: (message, agent) =>
        message.method === "session/new" && [...agent.sessions.values()].some(({ stop }) => stop !== undefined),
    },
    "watch/json-rpc-2.0": changes(isUpdate("plan"), (message) => delete message.jsonrpc),
    "watch/kinds-of-messages": adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1, method: "_x", result: {} }]),
    "watch/ids": adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1.5, method: "_x", params: {} }]),
    "watch/answers": adds(
      (message) => message.result?.stopReason,
      (message) => [message],
    ),
    "watch/method-names": adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "session/progress", params: {} }]),
  }),
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
    fails: "watch/params",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "elicitation/complete", params: [1] }]),
    also: ["watch/elicitation-complete", "watch/schema/notifications"],
  },
];
