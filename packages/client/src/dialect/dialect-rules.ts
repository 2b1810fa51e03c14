/** The name of a compatibility rule in {@link dialectRules}. */
export type DialectName =
  | "older-update-names"
  | "flat-updates"
  | "plain-content"
  | "null-members"
  | "slash-names"
  | "mode-id"
  | "mode-as-text"
  | "bare-tool-content"
  | "agent-terminals"
  | "models"
  | "unlisted-value"
  | "option-response"
  | "error-without-id"
  | "session-not-found"
  | "json-error-message"
  | "reason-in-data";

/** A compatibility rule: one deviation of agents from the specification, and how the client handles it. */
export interface DialectRule {
  /** What the agent does differently from the specification. */
  readonly description: string;
  /**
   * What the client does about the deviation. `read`: it converts the message. `reported`: it only reports the
   * deviation, because the message needs no conversion.
   */
  readonly effect: "read" | "reported";
  /** The agents for which this compatibility rule was written. */
  readonly seenIn: string;
  /**
   * The agents of `@acp-kit/registry/quirks` in which the deviation was measured, as `<agent> <version>`; empty if no
   * measured agent needs the rule.
   */
  readonly rows: readonly string[];
}

/**
 * All compatibility rules, by their names. They convert messages on arrival, so that all other code receives messages
 * as the specification defines them.
 *
 * When a rule applies for the first time on a connection, the client reports a diagnostic with the code `dialect` and
 * the rule's name in `data.rule`.
 */
export const dialectRules: Readonly<Record<DialectName, DialectRule>> = {
  "older-update-names": {
    description: "The agent sends updates under names of earlier drafts, such as `thought` or `tool_call_start`",
    effect: "read",
    seenIn: "agents written for libraries of 2025; `config_options_update` from several adapters",
    rows: [],
  },
  "flat-updates": {
    description:
      "The agent puts the members of an update beside `sessionId` instead of into `update`, or puts the kind of the update into `type` instead of `sessionUpdate`",
    effect: "read",
    seenIn: "adapters of the first drafts",
    rows: [],
  },
  "plain-content": {
    description: "The agent sends a plain string or a list instead of a content block",
    effect: "read",
    seenIn: "agents written for libraries of 2025",
    rows: [],
  },
  "null-members": {
    description: "The agent sends `null` for a member that should be absent or a string",
    effect: "read",
    seenIn: "agents that serialize absent members, such as `description: null` or `title: null`",
    rows: [],
  },
  "slash-names": {
    description: "The agent advertises its commands with a slash in their names, such as `/review`",
    effect: "read",
    seenIn: "agents that advertise the names as users type them",
    rows: [],
  },
  "mode-id": {
    description: "The agent sends `modeId` instead of `currentModeId`",
    effect: "read",
    seenIn: "agents written after an example of the documentation, which was wrong",
    rows: [],
  },
  "mode-as-text": {
    description: "The agent sends a change of mode as a message with the text `[MODE_UPDATE] …`",
    effect: "read",
    seenIn: "Gemini CLI 0.61",
    rows: ["gemini 0.61.0"],
  },
  "bare-tool-content": {
    description: 'The agent puts content blocks into tool calls without `{type: "content"}` around them',
    effect: "read",
    seenIn: "agents written after an example of the documentation, which was wrong",
    rows: [],
  },
  "agent-terminals": {
    description: "The agent runs terminals itself and sends their output in the `_meta` of tool calls",
    effect: "reported",
    seenIn: "Codex and Claude adapters, for clients that show terminals",
    rows: [],
  },
  models: {
    description: "The agent responds with `models` beside or instead of `configOptions`",
    effect: "reported",
    seenIn: "Gemini CLI 0.61",
    rows: ["gemini 0.61.0"],
  },
  "unlisted-value": {
    description: "The current value of a session option is not among the values that the agent offers",
    effect: "reported",
    seenIn: "agents whose configured model is not in their own list",
    rows: [],
  },
  "option-response": {
    description:
      "The agent responds to `session/set_config_option` without the list of options, or with the list alone",
    effect: "read",
    seenIn: "agents that respond to it as to `session/set_mode`, with an empty object or `null`",
    rows: [],
  },
  "error-without-id": {
    description: "The agent responds with an error that has no request id",
    effect: "read",
    seenIn: "agents that fail before they have read the request",
    rows: [],
  },
  "session-not-found": {
    description:
      "The agent responds with another error code if a session does not exist, and says so only in the message",
    effect: "read",
    seenIn: "Gemini CLI 0.61, OpenCode 1.18, Claude adapter 0.100",
    rows: ["claude-acp 0.100.0", "gemini 0.61.0", "opencode 1.18.33"],
  },
  "json-error-message": {
    description: "The agent sends error messages that are JSON texts",
    effect: "read",
    seenIn: "agents that pass on the errors of their model's API",
    rows: [],
  },
  "reason-in-data": {
    description: "The agent puts the reason of an error only into `data`, in one of several forms",
    effect: "read",
    seenIn:
      "agents that respond with `Internal error` to whatever fails, such as Gemini CLI, Kimi CLI and the Claude adapter",
    rows: ["gemini 0.61.0"],
  },
};

/** The compatibility rules that the client applies: all (the default), none (`false`), or those in the list. */
export type DialectSetting = boolean | readonly DialectName[];
