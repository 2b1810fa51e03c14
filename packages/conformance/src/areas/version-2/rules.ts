import { defineFeatureRules, fact, must, mustNot, should } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/**
 * Rules of the draft of version 2 of the protocol, from the schema of `@agentclientprotocol/sdk` 2.4.0 and the pages of
 * the draft. All of them are advice, because the draft may still change.
 */
export const draftRequirements: readonly Requirement[] = defineFeatureRules("version 2", {
  "V2-01": must("agent", ["draft"], {
    rule: "The agent responds to `initialize` with its highest version that is not above the requested one.",
  }),
  "V2-02": must("agent", ["draft"], {
    rule: "If the agent supports no version at or below the requested one, it responds to `initialize` with the error -32022 and `data: { requested, supported }`.",
  }),
  "V2-03": must("client", ["draft"], {
    rule: "The client checks that it supports the version of the response, and disconnects if it does not.",
  }),
  "V2-04": must("both", ["draft"], {
    rule: "The client sends `info` with `name` and `version` in `initialize`, and the agent sends them in the response.",
  }),
  "V2-05": must("both", ["draft"], {
    rule: "A peer sends `capabilities` instead of `clientCapabilities` and `agentCapabilities`. Each capability is an object: `{}` means supported; absent or `null` means unsupported.",
  }),
  "V2-06": must("agent", ["draft"], {
    rule: "An agent that advertises `capabilities.session` supports `session/new`, `session/list`, `session/resume`, `session/close`, `session/prompt`, `session/cancel` and `session/update`.",
  }),
  "V2-07": must("agent", ["draft"], {
    rule: "An agent with a non-empty `authMethods` implements `auth/login` and `auth/logout`.",
  }),
  "V2-08": mustNot("client", ["draft"], {
    rule: "The client calls `auth/login` and `auth/logout` only if `authMethods` is not empty.",
  }),
  "V2-09": must("agent", ["draft"], {
    rule: "The agent sends `methodId`, `type` and `name` with each entry of `authMethods`. The `env` of a terminal method is a list with unique names.",
  }),
  "V2-10": mustNot("both", ["draft"], {
    rule: "A peer uses an integer or a string as the `id` of a request, never `null`. It does not use the id of a request that is still open.",
  }),
  "V2-11": fact("both", ["draft"], {
    rule: "Batches are not supported. A peer responds to an array with a single error -32600 with `id: null`.",
  }),
  "V2-12": must("both", ["draft"], {
    rule: "A peer responds to a request for an unknown or inactive session with -32002 and `data.sessionId`.",
  }),
  "V2-13": must("agent", ["draft"], { rule: "The agent responds to a request before `initialize` with -32600." }),
  "V2-14": mustNot("both", ["draft"], {
    rule: "A peer sends no unknown method or discriminator without a leading underscore. It preserves an unknown variant, and never treats it as a known one.",
  }),
  "V2-15": must("client", ["draft"], {
    rule: "The client sends a `type` with each entry of `mcpServers`. It sends `stdio` only if the agent advertises `session.mcp.stdio`, and `http` only if the agent advertises `session.mcp.http`.",
  }),
  "V2-16": must("agent", ["draft"], {
    rule: "The agent responds with -32602 to a request with an MCP server whose transport it does not support.",
  }),
  "V2-17": mustNot("agent", ["draft"], {
    rule: 'On `session/resume` without `replayFrom`, the agent replays nothing. With `{ type: "start" }`, it sends the whole retained history before the response.',
  }),
  "V2-18": must("agent", ["draft"], {
    rule: "The agent responds to an unsupported or malformed replay cursor with -32602. It never uses another cursor instead.",
  }),
  "V2-19": must("agent", ["draft"], {
    rule: "The agent sends the current `state_update` before its response to `session/resume`.",
  }),
  "V2-20": must("agent", ["draft"], { rule: "The agent sends a `messageId` with every replayed message." }),
  "V2-21": must("agent", ["draft"], {
    rule: "The agent responds to `session/prompt` with the `messageId` of the user's message.",
  }),
  "V2-22": must("agent", ["draft"], {
    rule: "The agent reports the user's message as `user_message` or `user_message_chunk`, with the id of the response.",
  }),
  "V2-23": must("agent", ["draft"], {
    rule: "The agent announces work with the `state_update` `running`, and ends it with the `state_update` `idle`.",
  }),
  "V2-24": should("agent", ["draft"], {
    rule: "With `idle`, the agent sends the `stopReason` of the work that ended.",
  }),
  "V2-25": must("agent", ["draft"], {
    rule: "The agent reports a failure before the insertion of the user's message with an error response, without a user message. It reports a failure after the insertion with `idle` and the stop reason `error`.",
  }),
  "V2-26": must("client", ["draft"], { rule: "The client sends at least one content block in `prompt`." }),
  "V2-27": must("agent", ["draft"], {
    rule: "The agent responds to a prompt with an unsupported content block with -32602.",
  }),
  "V2-28": must("agent", ["draft"], {
    rule: "After `session/cancel` during foreground work, the agent sends `idle` with the stop reason `cancelled`. It sends all other updates of that work before.",
  }),
  "V2-29": mustNot("agent", ["draft"], {
    rule: "The agent does not report an exception of cancelled work as the stop reason `error`.",
  }),
  "V2-30": fact("client", ["draft"], {
    rule: "If the agent cancels a permission request, the client responds with the outcome `cancelled`.",
  }),
  "V2-31": must("agent", ["draft"], {
    rule: "The agent sends a `messageId` with every chunk and every message. The id is unique among the messages of its kind.",
  }),
  "V2-32": fact("both", ["draft"], {
    rule: "In an upsert, an omitted member stays unchanged, `null` clears it, and a value replaces it.",
  }),
  "V2-33": must("agent", ["draft"], {
    rule: "The agent reports a tool call as a `tool_call_update` with a `toolCallId`. The first update creates the call.",
  }),
  "V2-34": mustNot("agent", ["draft"], {
    rule: "The agent does not use the tags `tool_call`, `plan` and `current_mode_update` of version 1.",
  }),
  "V2-35": mustNot("agent", ["draft"], {
    rule: "The agent does not use the methods `fs/*`, `terminal/create`, `session/load`, `session/set_mode`, `authenticate` and `logout` of version 1.",
  }),
  "V2-36": must("client", ["draft"], {
    rule: "The client sends `tool_call/cancel` and `terminal/cancel` only while the agent advertises `capabilities.cancel` for the call or the terminal.",
  }),
  "V2-37": must("agent", ["draft"], {
    rule: "The agent responds with -32602 to `tool_call/cancel` and `terminal/cancel` of work that is unknown, finished or not cancellable.",
  }),
  "V2-38": must("agent", ["draft"], {
    rule: "The agent sends absolute paths as `terminal_update.cwd`, `changes[].path` and `locations[].path`.",
  }),
  "V2-39": fact("agent", ["draft"], {
    rule: "Each `terminal_output_chunk.data` is a complete base64 text. The client decodes each chunk, and then appends it.",
  }),
  "V2-40": must("agent", ["draft"], {
    rule: "The agent sends a `title` and at least one option with a permission request.",
  }),
  "V2-41": mustNot("agent", ["draft"], {
    rule: "The agent does not treat an unknown outcome, or an option that it did not offer, as an approval.",
  }),
  "V2-42": must("agent", ["draft"], {
    rule: "The agent sends a plan with `type` and `planId` in a `plan_update`. The update replaces the plan with that id.",
  }),
  "V2-43": must("agent", ["draft"], {
    rule: "The agent offers at least one value with a select option, and `currentValue` is one of them. The values are unique across groups.",
  }),
  "V2-44": must("client", ["draft"], {
    rule: "The client sends the `type` of the value with `session/set_config_option`: `id` or `boolean`.",
  }),
  "V2-45": must("agent", ["draft"], {
    rule: "The agent responds to an unknown `configId` or value with -32602, and changes nothing.",
  }),
  "V2-46": must("agent", ["draft"], {
    rule: "The agent sends `type`, `name` and `description` with a command. The `name` has no slash and no whitespace.",
  }),
  "V2-47": must("agent", ["draft"], {
    rule: "The agent sends `type` and `properties` in the `requestedSchema` of a form. An elicitation has exactly one scope.",
  }),
  "V2-48": must("agent", ["draft"], {
    rule: "The agent handles an unknown action in the response to an elicitation like `cancel`.",
  }),
  "V2-49": fact("agent", ["draft"], {
    rule: "With the filter `cwd`, `session/list` returns only sessions whose `cwd` is exactly equal.",
  }),
  "V2-50": should("agent", ["draft"], {
    rule: "The agent responds to `session/close` of an unknown session with success. The client treats -32002 as success.",
  }),
});
