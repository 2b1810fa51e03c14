import { isDeeperThan, messageLimitDefaults } from "@acp-kit/protocol/internal";
import type {
  IncomingContentBlock,
  IncomingRequestPermissionRequest,
  IncomingToolCallContent,
  IncomingToolCallUpdate,
} from "@acp-kit/types";
import { isEmptyValue } from "./empty-members.js";

/**
 * A part of a tool call that a permission question shows. The texts are the agent's, unchanged: a user interface
 * removes characters with an effect on its output, and if it shows only a part of a text, it says so and offers the
 * rest.
 */
export type PermissionPart =
  | { readonly type: "command"; readonly text: string }
  /** `oldText` is `null` for a new file. */
  | { readonly type: "diff"; readonly path: string; readonly oldText: string | null; readonly newText: string }
  | { readonly type: "place"; readonly path: string; readonly line: number | undefined }
  | { readonly type: "content"; readonly text: string }
  /** The rest of the tool's input, as JSON or, if the input is a text, as it is. */
  | { readonly type: "input"; readonly text: string };

/** What a permission question shows to the user, in this order. */
export interface PermissionView {
  /** The title of the tool call; its tool, its kind or its id if the agent sent none. */
  readonly title: string;
  /**
   * The command or the diffs first, then the places, the content, and the members of the input that no other part
   * contains.
   */
  readonly parts: readonly PermissionPart[];
}

/**
 * Returns what a user interface shows for a permission request, so that the user sees everything that the agent says
 * about its tool call, and each part once. The title is only the agent's description; the command and the input come
 * from `rawInput`.
 */
export function permissionView({
  toolCall,
  description,
}: Pick<IncomingRequestPermissionRequest, "toolCall"> & { readonly description?: string | null }): PermissionView {
  const { toolCallId, title, name, kind, rawInput, locations, content } = toolCall;
  const command = commandOf(toolCall);
  const items = content ?? [];
  const diffs = items.flatMap((item) => diffOf(item) ?? []);
  const paths = new Set(diffs.map(({ path }) => path));
  const places = (locations ?? []).filter(({ path, line }) => line != null || !paths.has(path));
  const texts = [description ?? "", ...items.map(textOf)].filter(
    (text) => text !== "" && unfenced(text) !== command?.text,
  );
  const shown = {
    texts: new Set([command?.text, ...texts, ...diffs.flatMap(({ oldText, newText }) => [oldText, newText])]),
    paths: new Set([...paths, ...places.map(({ path }) => path)]),
  };
  const input = restOf(rawInput, command?.members ?? [], shown);
  return {
    title: title || name || (kind && kind !== "other" ? kind : toolCallId),
    parts: [
      ...(command === undefined ? [] : [{ type: "command", text: command.text } as const]),
      ...diffs,
      ...places.map(({ path, line }) => ({ type: "place", path, line: line ?? undefined }) as const),
      ...texts.map((text) => ({ type: "content", text }) as const),
      ...(input === undefined ? [] : [{ type: "input", text: input } as const]),
    ],
  };
}

/**
 * Control characters except line feeds, and characters that change the direction of text: they can make a text look
 * like another.
 */
const invisible = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns the title and all parts of a {@link permissionView} as one text, for a simple dialog. A replacement character
 * (U+FFFD) takes the place of each character that could change the dialog, such as the beginning of an escape sequence.
 * The text may be long.
 */
export function permissionViewText({ title, parts }: PermissionView): string {
  const lines = parts.flatMap((part) => {
    switch (part.type) {
      case "command":
        return [`$ ${part.text}`];
      case "diff":
        return [part.path, ...changedLines(part.oldText ?? "", part.newText)];
      case "place":
        return [part.path + (part.line === undefined ? "" : `:${part.line}`)];
      default:
        return [part.text];
    }
  });
  return [title, ...lines]
    .join("\n")
    .replace(/\r\n?|\t/g, (text) => (text === "\t" ? "    " : "\n"))
    .replace(invisible, "\ufffd");
}

/** Returns the lines that differ, without the equal lines at the beginning and the end. */
function changedLines(oldText: string, newText: string): string[] {
  const [before, after] = [oldText, newText].map((text) => (text === "" ? [] : text.split("\n"))) as [
    string[],
    string[],
  ];
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === after[start]) start += 1;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const changed = (lines: string[], mark: string): string[] =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${line}`);
  return [...changed(before, "-"), ...changed(after, "+")];
}

/** The members in which agents put a command, most frequent first. */
const commandMembers = ["command", "cmd", "script"] as const;

/** Returns the command of a tool call as one text, and the members of its input that contain the command. */
function commandOf({
  kind,
  rawInput,
}: IncomingToolCallUpdate): { readonly text: string; readonly members: readonly string[] } | undefined {
  if (typeof rawInput === "string") return kind === "execute" && rawInput ? { text: rawInput, members: [] } : undefined;
  const input = Object(rawInput) as Readonly<Record<string, unknown>>;
  for (const member of commandMembers) {
    const value = Object.hasOwn(input, member) ? input[member] : undefined;
    const words = wordsOf(value);
    if (words === undefined || words.length === 0) continue;
    const more = wordsOf(input.args);
    if (typeof value === "string" && !Array.isArray(input.args)) return { text: value, members: [member] };
    if (typeof value === "string" && more !== undefined)
      return { text: [value, ...more.map(quoted)].join(" "), members: [member, "args"] };
    return { text: words.map(quoted).join(" "), members: [member] };
  }
  return undefined;
}

function wordsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : undefined;
}

/**
 * Puts a word between quotes if it has characters for which a shell needs them, so that the user sees where each word
 * ends.
 */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

function diffOf(item: IncomingToolCallContent): Extract<PermissionPart, { type: "diff" }> | undefined {
  if (item.type !== "diff") return undefined;
  const { path, oldText, newText } = item as { path: string; oldText?: string | null; newText: string };
  return { type: "diff", path, oldText: oldText ?? null, newText };
}

function textOf(item: IncomingToolCallContent): string {
  if (item.type === "diff") return "";
  if (item.type !== "content") return jsonOf(item);
  const block = item.content as IncomingContentBlock & Readonly<Record<string, unknown>>;
  if (block.type === "text") return String(block.text);
  if (block.type === "image" || block.type === "audio") return `[${block.type}]`;
  return jsonOf(block);
}

/** Returns the text of a code block if the text is only that. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
  const from = trimmed.indexOf("\n");
  return from < 0 ? trimmed : trimmed.slice(from + 1, -3).trim();
}

/** The texts and paths that other parts show. */
interface Shown {
  readonly texts: ReadonlySet<unknown>;
  readonly paths: ReadonlySet<unknown>;
}

/** Returns the members of an input that no other part shows, as text. */
function restOf(input: unknown, used: readonly string[], { texts, paths }: Shown): string | undefined {
  if (isEmptyValue(input) || texts.has(input)) return undefined;
  if (typeof input === "string") return input;
  if (typeof input !== "object" || Array.isArray(input)) return jsonOf(input);
  const rest = Object.entries(input as object).filter(([name, value]) => {
    return !used.includes(name) && !texts.has(value) && !(/path|file/i.test(name) && paths.has(value));
  });
  return rest.length === 0 ? undefined : jsonOf(Object.fromEntries(rest));
}

function jsonOf(value: unknown): string {
  if (isDeeperThan(value, messageLimitDefaults.maxMessageDepth)) return "(nested too deep to be shown)";
  return JSON.stringify(value, undefined, 2);
}
