import type { IncomingToolCallUpdate } from "@acp-kit/types";

/** Returns the paths of a tool call's locations and diffs, each once, as the agent sent them. */
export function toolCallPaths({ locations, content }: IncomingToolCallUpdate): readonly string[] {
  const paths = (locations ?? []).map(({ path }) => path);
  for (const item of content ?? []) if (item.type === "diff") paths.push(item.path);
  return [...new Set(paths)];
}
