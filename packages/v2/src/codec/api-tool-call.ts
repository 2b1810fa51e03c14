import type { V2ToolCallUpdate } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { diffToV1 } from "./diff.js";
import type { JsonObject } from "./objects.js";
import { diffMember } from "./tool-content.js";

/** The values of cleared members: those of a new tool call. The other members have none. */
const initial: Readonly<JsonObject> = {
  title: "",
  content: [],
  locations: [],
  kind: "other",
  status: "pending",
  capabilities: {},
};
const clearable: ReadonlySet<string> = new Set(["name", "rawInput", "rawOutput", "_meta"]);

/**
 * Converts a tool call of version 2 to the form that applications use in both versions. In that form, `null` keeps a
 * member, so the initial value of a member, or its name in `clears`, takes the place of `null`.
 */
export function toolCallToApi(call: v2.IncomingToolCallUpdate): V2ToolCallUpdate {
  const { content } = call;
  const hasDiffs = content?.some(({ type }) => type === "diff") ?? false;
  const values = Object.values(call);
  if (!hasDiffs && !values.includes(null)) return call as V2ToolCallUpdate;
  const clears: string[] = [];
  const entries = Object.entries(call).flatMap(([name, value]): [string, unknown][] => {
    if (value !== null) return [[name, value]];
    if (Object.hasOwn(initial, name)) return [[name, initial[name]]];
    if (clearable.has(name)) clears.push(name);
    return [];
  });
  const converted: JsonObject = Object.fromEntries(entries); // `__proto__` stays a member
  if (content && hasDiffs) converted.content = content.flatMap(toolContentToApi);
  if (clears.length > 0) converted.clears = clears;
  return converted as unknown as V2ToolCallUpdate;
}

/**
 * Converts an item of a tool call's content. The changed files of a diff are separate items, each with the old and the
 * new text; `_meta` of the first item has the diff of version 2, which has more kinds of changes, and `_meta` of the
 * others has `null`.
 */
export function toolContentToApi(item: v2.IncomingToolCallContent): v1.IncomingToolCallContent[] {
  if (item.type !== "diff" || !Array.isArray(item.changes)) return [item as v1.IncomingToolCallContent];
  const { changes, patch } = item as v2.IncomingDiff & { type: "diff" };
  const original = { changes, ...(patch && { patch }) };
  return diffToV1(item as v2.IncomingDiff & { type: "diff" }, () => {}).map((each, index) => ({
    ...each,
    _meta: { ...each._meta, [diffMember]: index > 0 ? null : original },
  }));
}
