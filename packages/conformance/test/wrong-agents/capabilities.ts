import {
  adds,
  changes,
  failing,
  isPrompt,
  isResult,
  isUpdate,
  type Mutant,
  once,
  reads,
  responds,
  said,
  type WrongAgent,
} from "../mutations.js";

/** Agents that break the rules of this area. */
export const capabilitiesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "capabilities/advertised-methods": responds("session/delete", {
      error: { code: -32601, message: "Method not found" },
    }),
    "capabilities/other-methods": changes(
      isResult("agentCapabilities"),
      ({ result }) => delete result.agentCapabilities.sessionCapabilities.list,
    ),
    "watch/capabilities/terminal-logins": changes(isResult("authMethods"), ({ result }) =>
      result.authMethods.push({ id: "t", name: "T", type: "terminal" }),
    ),
  }),
  {
    fails: "capabilities/client-with-nothing",
    also: ["watch/capabilities/read-files"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/read") && Object.keys(agent.client).length === 0
          ? (agent.client = { fs: { readTextFile: true } })
          : 0,
        false
      ),
    },
  },
  {
    fails: "capabilities/client-with-writing-and-pages",
    also: ["watch/capabilities/read-files"],
    mutation: reads(({ fs }) => fs?.writeTextFile === true && fs.readTextFile === false),
  },
  {
    fails: "capabilities/client-with-reading-and-forms",
    also: ["watch/capabilities/write-files"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/write") &&
          agent.client.fs?.readTextFile === true &&
          agent.client.fs.writeTextFile === undefined &&
          (agent.client.fs.writeTextFile = true),
        false
      ),
    },
  },
  {
    fails: "capabilities/client-with-empty-groups",
    also: ["watch/capabilities/forms"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/form") && agent.client.elicitation?.form === null && (agent.client.elicitation.form = {}),
        false
      ),
    },
  },
  ...Object.entries({
    "read-files": { method: "fs/read_text_file", params: { path: "/x" } },
    "write-files": { method: "fs/write_text_file", params: { path: "/x", content: "" } },
    terminals: { method: "terminal/create", params: { command: "x" } },
    forms: {
      method: "elicitation/create",
      params: { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
    },
    urls: {
      method: "elicitation/create",
      params: { mode: "url", message: "?", elicitationId: "e", url: "https://example.com" },
    },
  }).map(
    ([id, { method, params }]): WrongAgent => ({
      fails: `watch/capabilities/${id}`,
      areas: ["initialize/client-that"],
      mutation: once(
        adds(
          (message) => isUpdate("agent_message_chunk")(message),
          (message, agent) =>
            agent.client.terminal === true
              ? []
              : [{ jsonrpc: "2.0", id: 99, method, params: { sessionId: message.params.sessionId, ...params } }],
        ),
      ),
    }),
  ),
  {
    fails: "watch/capabilities/boolean-options",
    areas: ["initialize/client-that"],
    mutation: changes(
      isResult("configOptions"),
      ({ result }, agent) =>
        agent.client.terminal !== true &&
        result.configOptions.push({ id: "loud", name: "Loud", type: "boolean", currentValue: true }),
    ),
  },
  {
    fails: "watch/capabilities/notices",
    areas: ["initialize/client-that"],
    mutation: adds(isUpdate("agent_message_chunk"), (message, agent) =>
      agent.client.terminal === true ? [] : [said(message, { sessionUpdate: "notice", severity: "info", title: "x" })],
    ),
  },
  {
    fails: "watch/capabilities/compaction",
    areas: ["initialize/client-that"],
    mutation: once(
      adds(isUpdate("agent_message_chunk"), (message, agent) =>
        agent.client.terminal === true
          ? []
          : [said(message, { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" })],
      ),
    ),
  },
];
