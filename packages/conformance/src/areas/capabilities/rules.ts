import { defineRules } from "../../requirements/define-rules.js";
import { ifAgentHas, ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for messages that need a capability of the receiver. */
export const capabilitiesRules: readonly Requirement[] = defineRules({
  "CAP-01 client MUST NOT docs, schema": {
    rule: "Without `agentCapabilities.loadSession === true`, the client does not call `session/load`.",
    spec: "page session-setup#checking-support: If loadSession is false or not present, the Agent does not support loading sessions and Clients MUST NOT attempt to call session/load.",
    remedy: ifAgentHas("session/load", "loadSession is true"),
  },
  "CAP-02 client MUST NOT docs, schema": {
    rule: "Without `agentCapabilities.sessionCapabilities.list` (object), the client does not call `session/list`.",
    spec: "page session-list#checking-support: If sessionCapabilities.list is not present, the Agent does not support listing sessions and Clients MUST NOT attempt to call session/list.",
    remedy: ifAgentHas("session/list", "sessionCapabilities.list is an object"),
  },
  "CAP-03 client MUST NOT docs, schema": {
    rule: "Without `sessionCapabilities.delete`, the client does not call `session/delete`.",
    spec: "page session-delete#checking-support: If sessionCapabilities.delete is omitted or null, the Agent does not support deleting sessions and Clients MUST NOT attempt to call session/delete.",
    remedy: ifAgentHas("session/delete", "sessionCapabilities.delete is an object"),
  },
  "CAP-04 client MUST NOT docs, schema": {
    rule: "Without `sessionCapabilities.resume`, the client does not call `session/resume`.",
    spec: "page session-setup#checking-support-2: If sessionCapabilities.resume is not present, the Agent does not support resuming sessions and Clients MUST NOT attempt to call session/resume.",
    remedy: ifAgentHas("session/resume", "sessionCapabilities.resume is an object"),
  },
  "CAP-05 client MUST NOT docs, schema": {
    rule: "Without `sessionCapabilities.close`, the client does not call `session/close`.",
    spec: "page session-setup#checking-support-3: If sessionCapabilities.close is not present, the Agent does not support closing sessions and Clients MUST NOT attempt to call session/close.",
    remedy: ifAgentHas("session/close", "sessionCapabilities.close is an object"),
  },
  "CAP-06 client MUST NOT docs, schema": {
    rule: "Without `agentCapabilities.auth.logout`, the client does not call `logout`.",
    spec: "copy docs/protocol/v1/draft/authentication.mdx protocol/v1/authentication#advertising-authentication: If agentCapabilities.auth.logout is omitted or null, the Agent does not support logout and Clients MUST NOT call it.",
    remedy: ifAgentHas("logout", "auth.logout is an object"),
  },
  "CAP-07 client MUST NOT docs, schema": {
    rule: "Without `sessionCapabilities.additionalDirectories`, the client does not send `additionalDirectories` with `session/new`, `session/load` or `session/resume`.",
    spec: "page initialization#session-capabilities: The Agent supports additionalDirectories on supported session lifecycle requests. Omitted or null both mean the Agent does not advertise support.",
    remedy: ifAgentHas("additionalDirectories", "sessionCapabilities.additionalDirectories is an object"),
  },
  "CAP-08 client MUST NOT docs, schema": {
    rule: 'Without `mcpCapabilities.http === true`, the client does not pass an MCP server with `type:"http"`.',
    spec: "schema McpServer/anyOf/0: Only available when the Agent capabilities indicate `mcp_capabilities.http` is `true`.",
    remedy: ifAgentHas("MCP servers of the type http", "mcpCapabilities.http is true"),
  },
  "CAP-09 client MUST NOT docs, schema": {
    rule: 'Without `mcpCapabilities.sse === true`, the client does not pass an MCP server with `type:"sse"`.',
    spec: "schema McpServer/anyOf/1: Only available when the Agent capabilities indicate `mcp_capabilities.sse` is `true`.",
    remedy: ifAgentHas("MCP servers of the type sse", "mcpCapabilities.sse is true"),
  },
  "CAP-10 client MUST NOT docs, schema": {
    rule: "Without `promptCapabilities.image === true`, the client does not put `image` blocks into a prompt.",
    spec: "page prompt-turn#1-user-message: Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
    remedy: ifAgentHas("image blocks", "promptCapabilities.image is true"),
  },
  "CAP-11 client MUST NOT docs, schema": {
    rule: "Without `promptCapabilities.audio === true`, the client does not put `audio` blocks into a prompt.",
    spec: "page prompt-turn#1-user-message: Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
    remedy: ifAgentHas("audio blocks", "promptCapabilities.audio is true"),
  },
  "CAP-12 client MUST NOT docs, schema": {
    rule: "Without `promptCapabilities.embeddedContext === true`, the client does not put `resource` blocks into a prompt. It must use `resource_link`.",
    spec: "page prompt-turn#1-user-message: Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
    remedy: ifAgentHas(
      "resource blocks",
      "promptCapabilities.embeddedContext is true",
      "Send a resource_link otherwise.",
    ),
  },
  "CAP-13 agent MUST NOT docs, schema": {
    rule: "Without `clientCapabilities.fs.readTextFile === true`, the agent does not call `fs/read_text_file`.",
    spec: "page file-system#checking-support: If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
    remedy: ifClientHas("fs/read_text_file", "fs.readTextFile is true", "Read the file yourself otherwise."),
    official: { "ACP-CLIENTCAP-001": "mandatory" },
  },
  "CAP-14 agent MUST NOT docs, schema": {
    rule: "Without `clientCapabilities.fs.writeTextFile === true`, the agent does not call `fs/write_text_file`.",
    spec: "page file-system#checking-support: If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
    remedy: ifClientHas("fs/write_text_file", "fs.writeTextFile is true", "Write the file yourself otherwise."),
    official: { "ACP-CLIENTCAP-001": "mandatory" },
  },
  "CAP-15 agent MUST NOT docs, schema": {
    rule: "Without `clientCapabilities.terminal === true`, the agent does not call any of the five `terminal/*` methods. (`terminal` content in a tool call is a matter of TOOL-13.)",
    spec: "page terminals#checking-support: If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.",
    remedy: ifClientHas("terminal/* methods", "terminal is true", "Run the command yourself otherwise."),
    official: { "ACP-CLIENTCAP-002": "mandatory" },
  },
  "CAP-16 agent MUST NOT docs, schema": {
    rule: 'Without `clientCapabilities.elicitation.form` (object), the agent does not send `elicitation/create` with `mode:"form"`.',
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#checking-support: Agents MUST NOT request a mode the Client has not advertised.",
    remedy: ifClientHas('elicitation/create with the mode "form"', "elicitation.form is an object"),
    official: { "ACP-CLIENTCAP-003": "mandatory" },
  },
  "CAP-17 agent MUST NOT docs, schema": {
    rule: 'Without `clientCapabilities.elicitation.url` (object), the agent does not send `elicitation/create` with `mode:"url"`.',
    spec: "copy docs/protocol/v1/draft/elicitation.mdx protocol/v1/elicitation#checking-support: Agents MUST NOT request a mode the Client has not advertised.",
    remedy: ifClientHas('elicitation/create with the mode "url"', "elicitation.url is an object"),
    official: { "ACP-CLIENTCAP-003": "mandatory" },
  },
  "CAP-18 agent MUST NOT docs, schema": {
    rule: 'Without `clientCapabilities.session.configOptions.boolean` (object), the agent does not send a config option with `type:"boolean"`: not in the results of `session/new`, `session/load`, `session/resume` and `session/set_config_option`, and not in `config_option_update`.',
    spec: 'schema SessionConfigOptionsCapabilities/properties/boolean: Omitted or `null` both mean the client does not advertise support. Supplying `{}` means agents may include `type: "boolean"` entries in `configOptions`',
    remedy: ifClientHas(
      "options of the type boolean",
      "session.configOptions.boolean is an object",
      "Offer a select option, or none, otherwise.",
    ),
    official: { "ACP-CONFIG-003": "mandatory" },
  },
  "CAP-19 agent MUST NOT docs, schema": {
    rule: 'Without `clientCapabilities.auth.terminal === true`, the agent does not list an auth method with `type:"terminal"`.',
    spec: "schema AuthMethodTerminal: Agents MUST advertise this method only when the client enabled its terminal authentication capability.",
    remedy: ifClientHas('login methods of the type "terminal"', "auth.terminal is true"),
    official: { "ACP-AUTH-002": "mandatory" },
  },
  "CAP-20 agent MUST NOT schema": {
    rule: "Without `clientCapabilities.session.notices` (object), the agent does not send `notice` updates. The schema of Nov 2026 states this; the text of the RFD still says that no capability is needed.",
    spec: "schema Notice: Agents MUST only send notices when the Client advertised the `session.notices` Client capability.",
    remedy: ifClientHas("notice updates", "session.notices is an object"),
  },
  "CAP-21 agent MUST NOT schema, rfd": {
    rule: "Without `clientCapabilities.session.compaction` (object), the agent does not send `compaction_update` or `compaction_summary_chunk`.",
    spec: "schema CompactionUpdate: Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.",
    remedy: ifClientHas("compaction updates", "session.compaction is an object"),
  },
  "CAP-22 both SHOULD later page":
    "A peer responds to a request for a method that it did not advertise with `-32601`, as to an unknown method.",
  "CAP-23 both FACT docs, schema":
    "`session/set_mode` and `session/set_config_option` have no capability. The client may use them if the response that opened the session has `modes` or `configOptions`.",
  "CAP-24 both FACT docs, schema":
    "These need no capability: `$/cancel_request`, `session/cancel`, `usage_update`, `session_info_update`, `available_commands_update`, `plan`, `current_mode_update`, `config_option_update`, `messageId`, the `name` of tool calls, `_meta`.",
});
