import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { permitted } from "../../requirements/untested.js";

/** The rules for the MCP servers that a client passes to the agent. */
export const mcpServersRules: readonly Requirement[] = defineFeatureRules("MCP servers", {
  "MCP-01 client MAY docs": {
    rule: "The client may list MCP servers in `session/new`, `session/load` and `session/resume`.",
    feature: null,
    untested: { client: permitted },
  },
  "MCP-02 agent MUST docs, schema; harness": {
    rule: "Every agent can connect to stdio MCP servers.",
    feature: null,
    spec: "schema McpServer/anyOf/2: All Agents MUST support this transport.",
    remedy: "Start the servers of mcpServers that have a command, as child processes on stdio, before the first turn.",
  },
  "MCP-03 client MUST docs": {
    rule: "The client checks `mcpCapabilities.http` or `mcpCapabilities.sse` before it sends entries of that type.",
    feature: null,
    spec: "page session-setup#checking-transport-support: Before using HTTP or SSE transports, Clients MUST verify the Agent's capabilities during initialization:",
    brokenBy: ["CAP-08", "CAP-09"],
    remedy: ifAgentHas("MCP servers of the type http or sse", "mcpCapabilities allows that type"),
  },
  "MCP-04 agent SHOULD docs; harness": {
    rule: "The agent connects to all listed servers.",
    feature: null,
  },
  "MCP-05 agent SHOULD docs": { rule: "New agents support the http transport.", feature: null },
  "MCP-06 client MUST schema": {
    rule: "The client sends an MCP server on stdio as `{name, command, args, env}`. All four members are required, and the entry needs **no** `type`; `env` is an array of `{name,value}`, and `command` is an absolute path. The text of the pages calls `env` optional, but the schema requires it.",
    spec: "schema McpServerStdio/required",
    remedy: "Send name, command, args and env with every MCP server on stdio; command is an absolute path.",
  },
  "MCP-07 client MUST schema": {
    rule: 'The client sends an MCP server on http or sse as `{type:"http"|"sse", name, url, headers}`. All members are required, and `headers` is an array of `{name,value}`.',
    spec: "schema McpServerHttp/required",
    remedy: "Send type, name, url and headers with every MCP server of the type http or sse.",
  },
  "MCP-08 agent FACT schema":
    "The agent distinguishes the entries by `type`. It reads an entry without a `type`, or with an unknown one, as a server on stdio, and fails if the entry does not have that shape.",
  "MCP-09 agent FACT derived":
    "If an agent does not advertise http or sse, an entry of that type is an error of the client. This package recommends the error `-32602`.",
  "MCP-10 agent FACT derived":
    "Version 1 does not specify the effect of an MCP server that fails to start. This package recommends that the agent creates the session and reports the failure, in a notice or a message.",
  "MCP-11 client FACT docs": {
    rule: "The client may offer its own tools to the model by an MCP server of its own.",
    untested: { client: permitted },
  },
});
