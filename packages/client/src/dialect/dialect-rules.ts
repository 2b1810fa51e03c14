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

/** One thing that agents do outside of the specification, and how this client lives with it. */
export interface DialectRule {
  /** What the agent does. */
  readonly says: string;
  /** What becomes of it. `reported`: the message is taken as it is, because nothing has to be changed about it. */
  readonly effect: "read" | "reported";
  /** Where it was seen. */
  readonly witness: string;
}

/**
 * What peers do outside of the specification and is understood all the same, by name. All of it happens where messages come in: whatever is
 * behind that sees what the specification says.
 *
 * The first time a rule applies on a connection it is reported, as a diagnostic with the code `dialect` and the rule's name in `data.rule`.
 */
export const dialectRules: Readonly<Record<DialectName, DialectRule>> = {
  "older-update-names": {
    says: "It sends updates under names of earlier drafts, such as `thought` or `tool_call_start`",
    effect: "read",
    witness: "agents written for libraries of 2025; `config_options_update` from several adapters",
  },
  "flat-updates": {
    says: "It puts the members of an update beside `sessionId`, or calls its tag `type`",
    effect: "read",
    witness: "adapters of the first drafts",
  },
  "plain-content": {
    says: "It sends a plain string, or a list, where a content block belongs",
    effect: "read",
    witness: "agents written for libraries of 2025",
  },
  "null-members": {
    says: "It says `null` where a member should be absent or a text",
    effect: "read",
    witness: "agents that serialise every member: `description: null`, `title: null`",
  },
  "mode-id": {
    says: "It calls `currentModeId` `modeId`",
    effect: "read",
    witness: "agents written after the example of the documentation, which had it wrong",
  },
  "mode-as-text": {
    says: "It tells a change of mode as a message, `[MODE_UPDATE] …`",
    effect: "read",
    witness: "Gemini CLI 0.61",
  },
  "bare-tool-content": {
    says: 'It puts content blocks into tool calls without `{type: "content"}` around them',
    effect: "read",
    witness: "agents written after an example of the documentation, which had it wrong",
  },
  "agent-terminals": {
    says: "It shows terminals of its own, with their output in the `_meta` of tool calls",
    effect: "reported",
    witness: "Codex and Claude adapters, for clients that show terminals",
  },
  models: {
    says: "It answers `models` beside or instead of `configOptions`",
    effect: "reported",
    witness: "Gemini CLI 0.61",
  },
  "unlisted-value": {
    says: "The value of an option is none of those that it offers",
    effect: "reported",
    witness: "agents whose configured model is not in their own list",
  },
  "error-without-id": {
    says: "It answers an error without saying which request it answers",
    effect: "read",
    witness: "agents that fail before they have read the request",
  },
  "session-not-found": {
    says: "It tells that a session does not exist in words, with a code that means something else",
    effect: "read",
    witness: "Gemini CLI 0.61, OpenCode 1.18, Claude adapter 0.100",
  },
  "json-error-message": {
    says: "The message of an error is a JSON text",
    effect: "read",
    witness: "agents that pass on what their model's API answered",
  },
};

/** Which rules apply: all (the default), none (`false`), or those that are named. */
export type DialectSetting = boolean | readonly DialectName[];
