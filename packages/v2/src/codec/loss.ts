/**
 * The kinds of information that one protocol version can't express. A converter reports a kind each time it occurs; the
 * bridge reports each kind once for each connection.
 */
export const losses = {
  client_files:
    "The client offers its files to the agent. Version 2 has no such methods: the agent uses its own files.",
  client_terminals:
    "The client offers its terminals to the agent. Version 2 has no such methods: the agent runs commands itself.",
  client_methods: "The agent called a method for files or terminals of the client, which version 2 does not have.",
  logout: "The agent of version 1 has no logout.",
  content: "Content of a kind that version 1 does not have was replaced by a text that names it.",
  annotations: "Annotations that the other version does not allow were left out.",
  resource_uri: "The URI of a resource was not absolute, as version 2 requires, and was made absolute.",
  diff: "A file change that version 1 can't show as old and new text was replaced by a text that names it.",
  terminal: "Output of the agent's terminals was shown as text.",
  terminal_output: "Output of a terminal was longer than the part that the bridge shows, or was not base64.",
  tool_call_clear: "The agent cleared a member of a tool call that can't be cleared in version 1.",
  tool_call_content: "The content of a tool call exceeded the limit, and the rest was left out.",
  tool_call_status: "The status of a tool call does not exist in version 1, and was replaced by the nearest one.",
  tool_call_kind: "The kind of a tool call does not exist in version 1, and was replaced by `other`.",
  message_replaced: "The agent replaced a message. Version 1 has no replacement, so the new text follows as a message.",
  message_cleared: "The agent cleared a message. Version 1 has no such update.",
  plan: "The agent sent a plan that version 1 can't show: a second plan, or a plan that is not a list of entries.",
  plan_entry:
    "The status or priority of a plan entry does not exist in version 1, and was replaced by the nearest one.",
  command: "A command, or its input, has a type that version 1 does not have, and was left out.",
  config_option: "A configuration option has a type that the receiver does not know, or no values, and was left out.",
  stop_reason: "The stop reason does not exist in version 1, and was replaced by `end_turn`.",
  permission: "A permission request without a tool call was shown as a tool call of its own.",
  permission_option: "An option of a permission request has a kind that version 1 does not have, and was left out.",
  form: "A member of a form, or of its answer, does not exist in the other version, and was left out.",
  notice: "The client does not show notices, so they were left out.",
  compaction: "The client does not show compactions, so they were left out.",
  too_many_items:
    "A session has more messages, tool calls or terminals than the bridge remembers. The oldest are treated as new.",
} as const;

/** A kind of information that one version can't express. */
export type LossKind = keyof typeof losses;

/** Receives the kinds of information that a conversion loses. */
export type Lost = (kind: LossKind) => void;
