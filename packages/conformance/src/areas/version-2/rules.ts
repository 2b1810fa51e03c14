import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/**
 * The rules of version 2 of the protocol, from its schema and pages. All of them are advice, because version 2 is in
 * Preview and may still change.
 */
export const version2Rules: readonly Requirement[] = defineFeatureRules("version 2", {
  "V2-01 agent MUST preview": {
    rule: "The agent responds to `initialize` with its highest version that is not above the requested one.",
    spec: "schema-v2 InitializeResponse/properties/protocolVersion: The highest protocol version supported by the agent that is at or below the version requested by the client.",
    remedy: "Respond to initialize with your highest version that is not above the requested one.",
  },
  "V2-02 agent MUST preview": {
    rule: "If the agent supports no version at or below the requested one, it responds to `initialize` with the error -32022 and `data: { requested, supported }`.",
    spec: "schema-v2 InitializeResponse/properties/protocolVersion: If no such version exists, initialization fails with error code -32022.",
    remedy:
      "Respond with the error -32022 and data: { requested, supported } if you support no version at or below the requested one.",
  },
  "V2-03 client MUST preview": {
    rule: "The client checks that it supports the version of the response, and disconnects if it does not.",
    spec: "schema-v2 InitializeResponse/properties/protocolVersion: The client must check that it supports this version and should disconnect if it does not.",
    remedy:
      "Compare protocolVersion of the response with the versions that you support, and close the connection if it is none of them.",
  },
  "V2-04 both MUST preview": {
    rule: "The client sends `info` with `name` and `version` in `initialize`, and the agent sends them in the response.",
    spec: "schema-v2 InitializeRequest/required",
    remedy: "Send info with name and version in initialize, and in the response to it.",
  },
  "V2-05 both MUST preview": {
    rule: "A peer sends `capabilities` instead of `clientCapabilities` and `agentCapabilities`. Each capability is an object: `{}` means supported; absent or `null` means unsupported.",
    spec: "schema-v2 InitializeRequest/properties/capabilities: Capabilities supported by the client.",
    remedy: "Send capabilities, and an empty object for each capability that you support.",
  },
  "V2-06 agent MUST preview": {
    rule: "An agent that advertises `capabilities.session` supports `session/new`, `session/list`, `session/resume`, `session/close`, `session/prompt`, `session/cancel` and `session/update`.",
    spec: "schema-v2 SessionCapabilities: Supplying `{}` means the agent supports the baseline session methods: `session/new`, `session/list`, `session/resume`, `session/close`, `session/prompt`, `session/cancel`, and `session/update`.",
    remedy: "Implement every baseline method of sessions, or do not advertise capabilities.session.",
  },
  "V2-07 agent MUST preview": {
    rule: "An agent with a non-empty `authMethods` implements `auth/login` and `auth/logout`.",
    spec: "schema-v2 InitializeResponse/properties/authMethods: Supplying one or more methods means the agent MUST support both `auth/login` and `auth/logout`.",
    remedy: "Implement auth/login and auth/logout, or list no login methods.",
  },
  "V2-08 client MUST NOT preview": {
    rule: "The client calls `auth/login` and `auth/logout` only if `authMethods` is not empty.",
    spec: "schema-v2 LoginAuthRequest: Clients MUST NOT call this method when `authMethods` was omitted or empty.",
    remedy: "Call auth/login and auth/logout only if the agent lists login methods.",
  },
  "V2-09 agent MUST preview": {
    rule: "The agent sends `methodId`, `type` and `name` with each entry of `authMethods`. The `env` of a terminal method is a list with unique names.",
    spec: "schema-v2 AuthMethodAgent/required",
    remedy: "Send methodId, type and name with each login method, and unique names in env.",
  },
  "V2-10 both MUST NOT preview": {
    rule: "A peer uses an integer or a string as the `id` of a request, never `null`. It does not use the id of a request that is still open.",
    spec: "schema-v2 RequestId: Unlike base JSON-RPC, it MUST NOT be `null`.",
    remedy: "Number your requests, and use a number again only after its response, or never.",
  },
  "V2-11 both FACT preview": {
    rule: "Batches are not supported. A peer responds to an array with a single error -32600 with `id: null`.",
    remedy: "Respond to an array with one error -32600 with the id null, and read on.",
  },
  "V2-12 agent MUST preview": {
    rule: "The agent responds to a request for an unknown or inactive session with -32002 and `data.sessionId`.",
    spec: "page-v2 error#unknown-sessions: If a session-scoped request names a session that does not exist or is not active on the connection, the Agent MUST respond with -32002 and set data.sessionId to the requested ID.",
    remedy: "Respond with the error -32002 and data: { sessionId } to a request for a session that you do not know.",
  },
  "V2-13 agent MUST preview": {
    rule: "The agent responds to a request before `initialize` with -32600.",
    spec: "page-v2 error#requests-before-initialization: Agents MUST reject any request other than initialize that arrives before initialization completes with -32600.",
    remedy: "Respond with the error -32600 to any request before initialize.",
  },
  "V2-14 both MUST NOT preview": {
    rule: "A peer sends no unknown method or discriminator without a leading underscore. It preserves an unknown variant, and never treats it as a known one.",
    spec: "schema-v2 SessionUpdate/anyOf/19",
    remedy: "Begin the names of your own methods, updates and variants with an underscore.",
  },
  "V2-15 client MUST preview": {
    rule: "The client sends a `type` with each entry of `mcpServers`. It sends `stdio` only if the agent advertises `session.mcp.stdio`, and `http` only if the agent advertises `session.mcp.http`.",
    spec: "schema-v2 McpServer",
    remedy:
      "Send the type of each MCP server, and only servers whose type is in capabilities.session.mcp of the agent.",
  },
  "V2-16 agent MUST preview": {
    rule: "The agent responds with -32602 to a request with an MCP server whose transport it does not support.",
    spec: "schema-v2 McpServer/anyOf/2: Agents MUST reject a request with a transport they do not support with `-32602`.",
    remedy:
      "Check the type of each MCP server before you open the session, and respond with -32602 to one that you do not support.",
  },
  "V2-17 agent MUST NOT preview": {
    rule: 'On `session/resume` without `replayFrom`, the agent replays nothing. With `{ type: "start" }`, it sends the whole retained history before the response.',
    spec: "schema-v2 ResumeSessionRequest/properties/replayFrom: Omitted and `null` are equivalent and mean the Agent should resume without replaying previous conversation history.",
    remedy: "Replay the history only if replayFrom is given, and before the response.",
  },
  "V2-18 agent MUST preview": {
    rule: "The agent responds to an unsupported or malformed replay cursor with -32602. It never uses another cursor instead.",
    spec: "schema-v2 ResumeSessionRequest/properties/replayFrom: Agents MUST reject unsupported cursor types or malformed cursor values with `-32602` (Invalid params), rather than substituting another cursor or resuming without replay.",
    remedy: "Respond with -32602 to a replayFrom whose type you do not know.",
  },
  "V2-19 agent MUST preview": {
    rule: "The agent sends the current `state_update` before its response to `session/resume`.",
    spec: "schema-v2 ResumeSessionResponse: The agent MUST send a current `state_update` after any requested history replay and before this response, even without replay.",
    remedy: "Send the current state_update before the response to session/resume, also without a replay.",
  },
  "V2-20 agent MUST preview": {
    rule: "The agent sends a `messageId` with every replayed message.",
    spec: "schema-v2 ContentChunk/required",
    remedy: "Store the messageId with each message, and replay the message with it.",
  },
  "V2-21 agent MUST preview": {
    rule: "The agent responds to `session/prompt` with the `messageId` of the user's message.",
    spec: "schema-v2 PromptResponse/required",
    remedy: "Respond to session/prompt with a new messageId for the user's message.",
  },
  "V2-22 agent MUST preview": {
    rule: "The agent reports the user's message as `user_message` or `user_message_chunk`, with the id of the response.",
    spec: "schema-v2 PromptResponse/properties/messageId: Agents must echo the message during the live session, but are not required to retain it.",
    remedy: "Send a user_message with the messageId of the response to session/prompt.",
  },
  "V2-23 agent MUST preview": {
    rule: "The agent announces work with the `state_update` `running`, and ends it with the `state_update` `idle`.",
    spec: "schema-v2 StateUpdate: Either way, the agent MUST report `running` when foreground work starts, or `requires_action` if it starts blocked on user action, and `idle` when it ends.",
    remedy: "Send the state_update running before the first output of the work, and idle after its last one.",
  },
  "V2-24 agent SHOULD preview": {
    rule: "With `idle`, the agent sends the `stopReason` of the work that ended.",
    remedy: "Send stopReason with the idle that ends work.",
  },
  "V2-25 agent MUST preview": {
    rule: "The agent reports a failure before the insertion of the user's message with an error response, without a user message. It reports a failure after the insertion with `idle` and the stop reason `error`.",
    spec: "schema-v2 ClientRequest/properties/params/anyOf/0/anyOf/11: Once it is inserted, the Agent MUST NOT answer with an error, even if the work fails before the response is sent.",
    remedy:
      "Respond with an error only before you report the user's message. Later, report the failure with idle and the stop reason error.",
  },
  "V2-26 client MUST preview": {
    rule: "The client sends at least one content block in `prompt`.",
    spec: "schema-v2 PromptRequest/properties/prompt: Clients MUST NOT send an empty array.",
    remedy: "Send at least one content block in prompt.",
  },
  "V2-27 agent MUST preview": {
    rule: "The agent responds to a prompt with an unsupported content block with -32602.",
    spec: "schema-v2 ContentBlock/anyOf/5: Agents MUST reject a `session/prompt` request with a content block type they do not support with `-32602`.",
    remedy:
      "Check the types of the content blocks before you insert the prompt, and respond with -32602 to one that you do not support.",
  },
  "V2-28 agent MUST preview": {
    rule: "After `session/cancel` during foreground work, the agent sends `idle` with the stop reason `cancelled`. It sends all other updates of that work before.",
    spec: "schema-v2 IdleStateUpdate/anyOf/4: Agents MUST report this stop reason on an idle `state_update` when cancellation ends active foreground work, even if aborting causes exceptions.",
    remedy:
      "After session/cancel, send the remaining updates of the work, and then idle with the stop reason cancelled.",
  },
  "V2-29 agent MUST NOT preview": {
    rule: "The agent does not report an exception of cancelled work as the stop reason `error`.",
    spec: "schema-v2 IdleStateUpdate/anyOf/4: Agents MUST catch these errors and report `cancelled`, not `error`.",
    remedy: "Catch the errors of work that you abort, and report the stop reason cancelled.",
  },
  "V2-30 client FACT preview": {
    rule: "If the agent cancels a permission request, the client responds with the outcome `cancelled`.",
    remedy: "Respond with the outcome cancelled to a permission request that the agent cancels.",
  },
  "V2-31 agent MUST preview": {
    rule: "The agent sends a `messageId` with every chunk and every message. The id is unique among the messages of its kind.",
    spec: "schema-v2 ContentChunk/required",
    remedy: "Send a messageId with every message and every chunk; chunks of one message share it.",
  },
  "V2-32 both FACT preview": {
    rule: "In an upsert, an omitted member stays unchanged, `null` clears it, and a value replaces it.",
    remedy: "Keep members that an update omits, clear those that are null, and replace the others.",
    untested: {
      agent:
        "Only the state of the client shows what an agent means by an omitted member; scenarios check the client (V2-32).",
    },
  },
  "V2-33 agent MUST preview": {
    rule: "The agent reports a tool call as a `tool_call_update` with a `toolCallId`. The first update creates the call.",
    spec: "schema-v2 ToolCallUpdate/required",
    remedy: "Send a toolCallId with every update of a tool call.",
  },
  "V2-34 agent MUST NOT preview": {
    rule: "The agent does not use the tags `tool_call`, `plan` and `current_mode_update` of version 1.",
    spec: "schema-v2 SessionUpdate/anyOf/19",
    remedy: "Send tool_call_update, plan_update and config_option_update instead of the updates of version 1.",
  },
  "V2-35 agent MUST NOT preview": {
    rule: "The agent does not use the methods `fs/*`, `terminal/create`, `session/load`, `session/set_mode`, `authenticate` and `logout` of version 1.",
    spec: "schema-v2 AgentRequest/properties/params",
    remedy: "Use your own files and terminals on connections of version 2.",
  },
  "V2-36 client MUST preview": {
    rule: "The client sends `tool_call/cancel` and `terminal/cancel` only while the agent advertises `capabilities.cancel` for the call or the terminal.",
    spec: "schema-v2 CancelToolCallRequest: Clients MUST NOT send it unless the tool call currently advertises `capabilities.cancel`.",
    remedy: "Offer to cancel a call or a terminal only while its capabilities contain cancel.",
  },
  "V2-37 agent MUST preview": {
    rule: "The agent responds with -32602 to `tool_call/cancel` and `terminal/cancel` of work that is unknown, finished or not cancellable.",
    spec: "schema-v2 CancelToolCallRequest: The Agent responds with `-32602` if the tool call is unknown, already final, or not cancellable.",
    remedy: "Respond with -32602 to the cancel of a tool call or terminal that you cannot cancel.",
  },
  "V2-38 agent MUST preview": {
    rule: "The agent sends absolute paths as `terminal_update.cwd`, `changes[].path` and `locations[].path`.",
    spec: "schema-v2 AbsolutePath: An absolute filesystem path used by the protocol.",
    remedy: "Send absolute paths as cwd of terminals, and as paths of changes and locations.",
  },
  "V2-39 both FACT preview": {
    rule: "Each `terminal_output_chunk.data` is a complete base64 text. The client decodes each chunk, and then appends it.",
    remedy: "Encode the bytes of each chunk by themselves as base64, with padding.",
  },
  "V2-40 agent MUST preview": {
    rule: "The agent sends a `title` and at least one option with a permission request.",
    spec: "schema-v2 RequestPermissionRequest/properties/options: Must contain at least one option.",
    remedy: "Send a title and at least one option with each permission request.",
  },
  "V2-41 agent MUST NOT preview": {
    rule: "The agent does not treat an unknown outcome, or an option that it did not offer, as an approval.",
    spec: "schema-v2 RequestPermissionOutcome/anyOf/1: If `optionId` doesn't match an offered option, the agent MUST treat the request as not approved.",
    remedy: "Run the tool only if the selected option is one that you offered and that allows it.",
  },
  "V2-42 agent MUST preview": {
    rule: "The agent sends a plan with `type` and `planId` in a `plan_update`. The update replaces the plan with that id.",
    spec: "schema-v2 PlanUpdateContent/anyOf/1/required",
    remedy: "Send plan with type and planId in each plan_update.",
  },
  "V2-43 agent MUST preview": {
    rule: "The agent offers at least one value with a select option, and `currentValue` is one of them. The values are unique across groups.",
    spec: "schema-v2 SessionConfigSelect/properties/options: MUST contain at least one value, and each `value` MUST be unique within the option, including across groups.",
    remedy: "Send unique values with each select option, and one of them as currentValue.",
  },
  "V2-44 client MUST preview": {
    rule: "The client sends the `type` of the value with `session/set_config_option`: `id` or `boolean`.",
    spec: "schema-v2 SetSessionConfigOptionRequest/anyOf/2",
    remedy: "Send type with the value of session/set_config_option: id or boolean.",
  },
  "V2-45 agent MUST preview": {
    rule: "The agent responds to an unknown `configId` or value with -32602, and changes nothing.",
    spec: "schema-v2 SetSessionConfigOptionRequest: Agents MUST reject an unknown `configId` or invalid value with `-32602` and leave the configuration unchanged.",
    remedy: "Check configId and value before you change anything, and respond with -32602 to an unknown one.",
  },
  "V2-46 agent MUST preview": {
    rule: "The agent sends `type`, `name` and `description` with a command. The `name` has no slash and no whitespace.",
    spec: "schema-v2 Command/required",
    remedy: "Send type, name and description with each command; the name has no slash and no whitespace.",
  },
  "V2-47 agent MUST preview": {
    rule: "The agent sends `type` and `properties` in the `requestedSchema` of a form. An elicitation has exactly one scope.",
    spec: "schema-v2 ElicitationSchema/properties/type",
    remedy: "Send type and properties in requestedSchema, and either sessionId or requestId.",
  },
  "V2-48 agent MUST preview": {
    rule: "The agent handles an unknown action in the response to an elicitation like `cancel`.",
    spec: "schema-v2 CreateElicitationResponse/anyOf/3: Agents that do not understand this action should preserve the raw payload when storing, replaying, proxying, or forwarding elicitation responses, and otherwise MUST handle it as `cancel`.",
    remedy: "Handle every action that is neither accept nor decline like cancel.",
  },
  "V2-49 agent FACT preview": {
    rule: "With the filter `cwd`, `session/list` returns only sessions whose `cwd` is exactly equal.",
    remedy: "Compare the cwd of each session with the filter, and list only the sessions with an equal one.",
  },
  "V2-50 agent SHOULD preview": {
    rule: "The agent responds to `session/close` of an unknown session with success. The client treats -32002 as success.",
    remedy: "Respond with success to session/close of a session that you do not know.",
  },
});
