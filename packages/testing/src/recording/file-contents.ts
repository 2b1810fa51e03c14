import type { RecordedMessage } from "./format.js";
import { mapStrings } from "./map-strings.js";

/** The members of params, results and updates that contain file contents, or program output with file contents. */
const contentMembers: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["fs/write_text_file", ["content"]],
  ["fs/read_text_file", ["content"]],
  ["terminal/output", ["output"]],
]);

/**
 * The members with file contents in content of any kind: diffs, embedded resources, images, and the raw input and
 * output of tools.
 */
const anywhere = new Set(["oldText", "newText", "blob", "data", "rawInput", "rawOutput"]);

/**
 * Returns a message without file contents: text read and written, diffs, embedded resources, images, terminal output,
 * and the raw input and output of tools. Each content becomes a marker with its length, such as `[redacted: 12
 * characters]`. Prompts and messages are not files and stay unchanged.
 *
 * @param method the method of the message; for a response, the method of its request.
 */
export function redactFileContents(message: unknown, method: string | undefined): unknown {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return message;
  const hidden = contentMembers.get(method) ?? [];
  const { params, result } = message as RecordedMessage;
  return {
    ...message,
    ...(params !== undefined && { params: hide(hideMembers(params, hidden)) }),
    ...(result !== undefined && { result: hide(hideMembers(result, hidden)) }),
  };
}

function hideMembers(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || names.length === 0) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) if (typeof copy[name] === "string") copy[name] = lengthOf(copy[name]);
  return copy;
}

function hide(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hide(item));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (anywhere.has(name) && name !== "data") return [name, hideAll(member)];
      if (name === "data" && "mimeType" in value) return [name, hideAll(member)]; // an image or audio
      if (name === "resource") return [name, hideMembers(member as object, ["text", "blob"])];
      return [name, hide(member)];
    }),
  );
}

function hideAll(value: unknown): unknown {
  return mapStrings(value, (text) => lengthOf(text));
}

function lengthOf(text: string): string {
  return `[redacted: ${text.length} characters]`;
}
