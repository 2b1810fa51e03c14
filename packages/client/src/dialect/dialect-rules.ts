/** The name of a {@link dialectRules rule}. */
export type DialectName =
  | "older-update-names"
  | "flat-updates"
  | "plain-content"
  | "null-members"
  | "mode-id"
  | "mode-as-text"
  | "bare-tool-content"
  | "agent-terminals"
  | "models"
  | "unlisted-value"
  | "error-without-id"
  | "session-not-found"
  | "json-error-message";

/** A compatibility rule: one difference of agents from the specification, and how this client handles it. */
export interface DialectRule {
  /** What the agent does. */
  readonly description: string;
  /** `read`: the message is converted. `reported`: it is only reported, because it needs no conversion. */
  readonly effect: "read" | "reported";
  /** The agents in which it was seen. */
  readonly seenIn: string;
}

/**
 * The compatibility rules, by name. They convert messages as they arrive, so that all other code receives messages as the specification has
 * them.
 *
 * The first time a rule applies on a connection it is reported, as a diagnostic with the code `dialect` and the rule's name in `data.rule`.
 */
export const dialectRules: Readonly<Record<DialectName, DialectRule>> = {
  "older-update-names": {
    description: "It sends updates under names of earlier drafts, such as `thought` or `tool_call_start`",
    effect: "read",
    seenIn: "agents written for libraries of 2025; `config_options_update` from several adapters",
  },
  "flat-updates": {
    description: "It puts the members of an update beside `sessionId`, or calls its tag `type`",
    effect: "read",
    seenIn: "adapters of the first drafts",
  },
  "plain-content": {
    description: "It sends a plain string, or a list, where a content block belongs",
    effect: "read",
    seenIn: "agents written for libraries of 2025",
  },
  "null-members": {
    description: "It sends `null` where a member should be absent or a string",
    effect: "read",
    seenIn: "agents that serialise every member: `description: null`, `title: null`",
  },
  "mode-id": {
    description: "It calls `currentModeId` `modeId`",
    effect: "read",
    seenIn: "agents written after an example of the documentation, which was wrong",
  },
  "mode-as-text": {
    description: "It sends a change of mode as a message, `[MODE_UPDATE] …`",
    effect: "read",
    seenIn: "Gemini CLI 0.61",
  },
  "bare-tool-content": {
    description: 'It puts content blocks into tool calls without `{type: "content"}` around them',
    effect: "read",
    seenIn: "agents written after an example of the documentation, which was wrong",
  },
  "agent-terminals": {
    description: "It shows terminals of its own, with their output in the `_meta` of tool calls",
    effect: "reported",
    seenIn: "Codex and Claude adapters, for clients that show terminals",
  },
  models: {
    description: "It responds with `models` beside or instead of `configOptions`",
    effect: "reported",
    seenIn: "Gemini CLI 0.61",
  },
  "unlisted-value": {
    description: "The value of an option is none of those that it offers",
    effect: "reported",
    seenIn: "agents whose configured model is not in their own list",
  },
  "error-without-id": {
    description: "It responds with an error that has no request id",
    effect: "read",
    seenIn: "agents that fail before they have read the request",
  },
  "session-not-found": {
    description: "It says only in the message that a session does not exist; the code has another meaning",
    effect: "read",
    seenIn: "Gemini CLI 0.61, OpenCode 1.18, Claude adapter 0.100",
  },
  "json-error-message": {
    description: "The message of its errors is a JSON text",
    effect: "read",
    seenIn: "agents that pass on the errors of their model's API",
  },
};

/** The rules that apply: all (the default), none (`false`), or those in the list. */
export type DialectSetting = boolean | readonly DialectName[];
