import { jsonText } from "../../json-text.js";
import type { RecordedMessage } from "../format.js";

type Members = Readonly<Record<string, unknown>>;

/** Returns a short description of a message. The message was not validated, so the function assumes no shape. */
export function previewOf(method: string, { params, result, error }: RecordedMessage): string {
  if (error !== undefined) {
    const { code, message } = membersOf(error);
    return `error ${wordsOf(code)}: ${wordsOf(message)}`.slice(0, MAX_LENGTH);
  }
  if (result !== undefined) return resultWords(method, membersOf(result)).slice(0, MAX_LENGTH);
  return paramsWords(method, membersOf(params)).slice(0, MAX_LENGTH);
}

/** The maximum length of a preview in characters. Longer previews are cut. */
export const MAX_LENGTH = 400;

function paramsWords(method: string, params: Members): string {
  switch (method) {
    case "initialize":
      return `version ${wordsOf(params.protocolVersion)}, ${infoWords(params.info ?? params.clientInfo)}`;
    case "session/new":
    case "session/load":
    case "session/resume":
      return wordsOf(params.cwd);
    case "session/prompt":
      return listOf(params.prompt).map(contentWords).join(" ");
    case "session/update":
      return updateWords(membersOf(params.update));
    case "session/request_permission":
      return permissionWords(params);
    case "session/set_mode":
      return wordsOf(params.modeId);
    case "terminal/create":
      return [params.command, ...listOf(params.args)].map(wordsOf).join(" ");
    default:
      return plainWords(params, new Set(["sessionId"]));
  }
}

function permissionWords({ title, toolCall, options }: Members): string {
  const name = title ?? membersOf(toolCall).title ?? membersOf(toolCall).toolCallId;
  const kinds = listOf(options).map((option) => wordsOf(membersOf(option).kind));
  return `${wordsOf(name)}: ${kinds.join(", ")}`;
}

function resultWords(method: string, result: Members): string {
  switch (method) {
    case "initialize":
      return `version ${wordsOf(result.protocolVersion)}, ${infoWords(result.info ?? result.agentInfo)}`;
    case "session/prompt":
      return wordsOf(result.stopReason ?? result.messageId);
    case "session/new":
      return wordsOf(result.sessionId);
    case "session/request_permission": {
      const { outcome, optionId } = membersOf(result.outcome);
      return optionId === undefined ? wordsOf(outcome) : `${wordsOf(outcome)} ${wordsOf(optionId)}`;
    }
    case "fs/read_text_file":
      return wordsOf(result.content).slice(0, MAX_LENGTH);
    default:
      return plainWords(result, new Set()).slice(0, MAX_LENGTH);
  }
}

function updateWords(update: Members): string {
  const kind = wordsOf(update.sessionUpdate);
  switch (kind) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return `${kind} ${contentWords(update.content)}`;
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return [kind, ...listOf(update.content).map(contentWords)].join(" ");
    case "tool_call":
    case "tool_call_update":
      return [kind, update.title ?? update.toolCallId, update.status].filter(isThere).map(wordsOf).join(" ");
    case "tool_call_content_chunk": {
      const { type, content } = membersOf(update.content);
      const block = isThere(content) ? contentWords(content) : `[${wordsOf(type)}]`;
      return [kind, wordsOf(update.toolCallId), block].join(" ");
    }
    case "terminal_update":
    case "terminal_output_chunk":
      return `${kind} ${terminalWords(update)}`;
    case "state_update": {
      const work = listOf(update.background).length;
      const background = work > 0 ? `, ${work} in the background` : "";
      return [kind, update.state, update.stopReason].filter(isThere).map(wordsOf).join(" ") + background;
    }
    case "plan":
      return `plan ${planWords(update.entries)}`;
    case "plan_update": {
      const { planId, entries } = membersOf(update.plan);
      return `${kind} ${wordsOf(planId)} ${planWords(entries)}`;
    }
    case "current_mode_update":
      return `${kind} ${wordsOf(update.currentModeId)}`;
    case "available_commands_update":
      return `${kind} ${listOf(update.availableCommands)
        .map((command) => wordsOf(membersOf(command).name))
        .join(" ")}`;
    default:
      return `${kind} ${plainWords(update, new Set(["sessionUpdate"]))}`;
  }
}

function planWords(entries: unknown): string {
  return listOf(entries)
    .map((entry) => `${wordsOf(membersOf(entry).content)} (${wordsOf(membersOf(entry).status)})`)
    .join(", ");
}

/** Describes a terminal: its command, its output as text, and its exit. */
function terminalWords({ terminalId, command, data, output, exitStatus }: Members): string {
  const { exitCode, signal } = membersOf(exitStatus);
  const exit = isThere(signal)
    ? `ended by ${wordsOf(signal)}`
    : isThere(exitCode)
      ? `exit code ${wordsOf(exitCode)}`
      : undefined;
  const bytes = data ?? membersOf(output).data;
  const text = typeof bytes === "string" ? jsonText(decodedText(bytes)) : undefined;
  return [terminalId, command, text, exit].filter(isThere).map(wordsOf).join(" ");
}

/** Decodes the beginning of bytes in base64 as text, for display: characters that are cut become `�`. */
function decodedText(base64: string): string {
  try {
    const binary = atob(base64.slice(0, 2 * MAX_LENGTH)); // a multiple of 4 characters, and more bytes than are shown
    return new TextDecoder().decode(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)));
  } catch {
    return base64.slice(0, MAX_LENGTH);
  }
}

function contentWords(block: unknown): string {
  const { type, text, uri, resource, name } = membersOf(block);
  if (typeof text === "string") return jsonText(text.slice(0, MAX_LENGTH));
  const what = uri ?? membersOf(resource).uri ?? name;
  return `[${wordsOf(type)}${what === undefined ? "" : ` ${wordsOf(what)}`}]`;
}

function infoWords(info: unknown): string {
  const { name, version } = membersOf(info);
  return name === undefined ? "nameless" : `${wordsOf(name)} ${wordsOf(version)}`;
}

/** Formats the members of an object, such as `a: 1, b: [3], c: {…}`: a scalar as its value, an array as its length. */
function plainWords(members: Members, without: ReadonlySet<string>): string {
  return Object.entries(members)
    .filter(([name, value]) => !without.has(name) && name !== "_meta" && isThere(value))
    .slice(0, 8)
    .map(([name, value]) => `${name}: ${shortWords(value)}`)
    .join(", ");
}

function shortWords(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === "object" && value !== null) return "{…}";
  return wordsOf(value).slice(0, 120);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : jsonText(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
