/** The kinds of state that agents send. */
export const stateKinds = ["tool", "status", "commands", "mode", "title"] as const;
export type StateKind = (typeof stateKinds)[number];

/** The id of the tool call whose titles are words. The words of other tool calls are their ids. */
const STATUS_CALL = "t";

/** Creates an update with a word. Every word is unique, so that the checks of texts also check the state. */
export function updateOf(kind: StateKind | "text", word: string): object {
  switch (kind) {
    case "text":
      return { sessionUpdate: "agent_message_chunk", content: { type: "text", text: word } };
    case "tool":
      return { sessionUpdate: "tool_call", toolCallId: word, title: "Run" };
    case "status":
      return { sessionUpdate: "tool_call_update", toolCallId: STATUS_CALL, title: word };
    case "commands":
      return { sessionUpdate: "available_commands_update", availableCommands: [{ name: word, description: "" }] };
    case "mode":
      return { sessionUpdate: "current_mode_update", currentModeId: word };
    case "title":
      return { sessionUpdate: "session_info_update", title: word };
  }
}

/** The modes in a simulation with both versions, each of which occurs more than once. The first is the initial one. */
export const modeIds = ["ask", "code", "plan", "test", "write"] as const;

/** The value of the option of a new session in such a simulation. */
export const FIRST_OPTION = "first";

/** Creates the option of an agent of version 1 in such a simulation. */
export function optionOf(value: string): object {
  return { id: "option", name: "Option", type: "select", currentValue: value, options: [{ value, name: value }] };
}

/** The word with which a client changes a setting. */
export function settingOf(client: string, number: number, kind: "mode" | "option"): string {
  return `${client}/set/${number}:${kind} `;
}

/** Whether a client has changed a setting with this word. The gateway sends the change to the other clients only. */
export function isSettingOf(client: string, word: string): boolean {
  return word.includes(`/${client}/set/`);
}

interface Update {
  readonly sessionUpdate?: unknown;
  readonly content?: { readonly text?: string };
  readonly toolCallId?: string;
  readonly availableCommands?: readonly { readonly name: string }[];
  readonly currentModeId?: string;
  readonly title?: string | null;
  readonly configOptions?: readonly { readonly currentValue: string }[];
}

/** Returns a value if it is a word: words end with a space. */
function asWord(value: string | undefined): string {
  return value?.endsWith(" ") ? value : "";
}

/** Returns the word of an agent's update; empty if it has none. */
export function wordOf(update: unknown): string {
  const { sessionUpdate, content, toolCallId, availableCommands, currentModeId, title, configOptions } = (update ??
    {}) as Update;
  switch (sessionUpdate) {
    case "agent_message_chunk":
      return content?.text ?? "";
    case "tool_call":
    case "tool_call_update": // in version 2 also the first update of a tool call
      return asWord((toolCallId === STATUS_CALL ? title : toolCallId) ?? "");
    case "available_commands_update":
      return availableCommands?.[0]?.name ?? "";
    case "current_mode_update":
      return asWord(currentModeId);
    case "config_option_update":
      return asWord(configOptions?.[0]?.currentValue);
    case "session_info_update":
      return title ?? "";
    default:
      return "";
  }
}

/** Returns the last of several words that is about a kind of state. */
export function lastOf(kind: StateKind, words: readonly string[]): string | undefined {
  return words.findLast((word) => word.endsWith(`:${kind} `));
}

/** Splits text into its words. */
export function split(text: string): string[] {
  return text.match(/\S+ /g) ?? [];
}

/** The mode of an agent that has sent none. */
export const FIRST_MODE = "first:mode ";
