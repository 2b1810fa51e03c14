import { isDeeperThan, messageLimitDefaults } from "@acp-kit/protocol/internal";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** The members of a tool call that say what it does. */
export type DescribedCall = Pick<ToolCallHandle, "name" | "kind" | "title" | "locations" | "content" | "rawInput">;

/** The maximum length of a scope. A remembered permission stays in memory as long as its session. */
const maxLength = 100_000;

/**
 * Returns the set of tool calls to which a decision of "always" about this call applies, for people to read: the tool
 * with its complete input and paths. Returns `undefined` if the call doesn't say what it is going to do: a tool without
 * an input can do anything, unless it reads, edits or deletes the files that it names.
 */
export function scopeOfCall(call: DescribedCall): string | undefined {
  const { name, kind = "other", title, rawInput } = call;
  const paths = pathsOf(call);
  const isAboutFiles = paths.length > 0 && (kind === "read" || kind === "edit" || kind === "delete");
  if (isEmpty(rawInput) ? !isAboutFiles : isDeeperThan(rawInput, messageLimitDefaults.maxMessageDepth))
    return undefined;
  const tool = name ?? (title === "" || isAboutFiles ? kind : `${kind} ${JSON.stringify(title)}`);
  const input = isEmpty(rawInput) ? [] : [JSON.stringify(sorted(rawInput))];
  const scope = [tool, ...input, ...paths.map((path) => JSON.stringify(path))].join(" ");
  return scope.length <= maxLength ? scope : undefined;
}

function pathsOf({ locations, content }: DescribedCall): string[] {
  const diffs = content.flatMap((item) => (item.type === "diff" ? [item.path] : []));
  return [...new Set([...locations.map(({ path }) => path), ...diffs])].sort();
}

function isEmpty(value: unknown): boolean {
  return value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Returns the value with the members of all objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}
