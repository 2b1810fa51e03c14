import type { RecordedMessage } from "./format.js";
import { mapStrings } from "./map-strings.js";

/** The members of params, results and updates that contain file contents, or program output with file contents. */
const contentMembers: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["fs/write_text_file", ["content"]],
  ["fs/read_text_file", ["content"]],
  ["terminal/output", ["output"]],
]);

/** All of these members, for a response whose request is unknown. */
const allContentMembers: readonly string[] = [...contentMembers.values()].flat();

/** Members with file contents anywhere: diffs, embedded resources, images, raw input and output of tools. */
const anywhere = new Set(["oldText", "newText", "blob", "rawInput", "rawOutput"]);

/** Matches names of members of `_meta` that identify something, such as `toolName` and `terminal_id`. */
const identifies = /(?:^|_)(?:id|name|type)$|(?:Id|Name|Type)$/;

/**
 * Returns a message without file contents: text read and written, diffs, embedded resources, images, terminal output,
 * and the input and output of tools. Each content becomes a marker with its length, such as
 * `[redacted: 12 characters]`. Prompts and messages are not files and stay unchanged.
 *
 * @param method the method of the message; for a response, the method of its request, if it is known.
 */
export function redactFileContents(message: unknown, method: string | undefined): unknown {
  if (typeof message !== "object" || message === null) return message;
  if (Array.isArray(message)) return message.map((item) => redactFileContents(item, methodOf(item)));
  const hidden = method === undefined ? allContentMembers : (contentMembers.get(method) ?? []);
  const { params, result, error } = message as RecordedMessage;
  return {
    ...message,
    ...(params !== undefined && { params: hide(hideMembers(params, hidden)) }),
    ...(result !== undefined && { result: hide(hideMembers(result, hidden)) }),
    ...(error !== undefined && { error: hide(error) }),
  };
}

/**
 * Returns a line that is not JSON without file contents: a line that begins like a message becomes a marker with its
 * length, because it may be a message that was cut off, or too long to be parsed.
 */
export function redactFileContentsOfNoise(text: string): string {
  return /^\s*(?:\[\s*)?\{/.test(text) ? lengthOf(text) : text;
}

function methodOf(message: unknown): string | undefined {
  const { method } = (message ?? {}) as RecordedMessage;
  return typeof method === "string" ? method : undefined;
}

function hideMembers(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || names.length === 0) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) if (typeof copy[name] === "string") copy[name] = lengthOf(copy[name]);
  return copy;
}

/** @param inTool whether the value is in the content of a tool call, whose texts are the output of the tool. */
function hide(value: unknown, inTool = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hide(item, inTool));
  const isTool = inTool || "toolCallId" in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (anywhere.has(name) || (inTool && name === "text")) return [name, hideAll(member)];
      if (name === "data" && "mimeType" in value) return [name, hideAll(member)]; // an image or audio
      if (typeof member === "string" && name === "data" && "terminalId" in value) return [name, bytesOf(member)];
      if (name === "output" && "terminalId" in value) return [name, hideOutput(member)];
      if (name === "resource") return [name, hideMembers(member, ["text", "blob"])];
      // Some agents send the output of a tool in its `_meta`, too.
      if (name === "_meta" && isTool) return [name, hideAll(member, identifies)];
      return [name, hide(member, inTool || (name === "content" && isTool))];
    }),
  );
}

/** Hides the output of a terminal of version 2. */
function hideOutput(output: unknown): unknown {
  const { data } = Object(output) as { readonly data?: unknown };
  return typeof data === "string" ? { ...(output as object), data: bytesOf(data) } : output;
}

/** Returns a marker for bytes in base64, which is base64 itself, so that the message is still valid. */
function bytesOf(base64: string): string {
  return btoa(lengthOf(base64));
}

/** Replaces all texts, except in members whose names match `kept`. */
function hideAll(value: unknown, kept?: RegExp): unknown {
  return mapStrings(value, (text, member) => (kept?.test(member) ? text : lengthOf(text)));
}

function lengthOf(text: string): string {
  return `[redacted: ${text.length} characters]`;
}
