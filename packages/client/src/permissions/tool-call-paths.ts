import type { IncomingToolCallUpdate } from "@acp-kit/types";

/** Returns the paths of a tool call's locations and diffs, each once, as the agent sent them. */
export function toolCallPaths({ locations, content }: IncomingToolCallUpdate): readonly string[] {
  const paths = new Set<string>();
  const add = (path: unknown): void => {
    if (typeof path === "string") paths.add(path);
  };
  for (const { path } of locations ?? []) add(path);
  for (const item of content ?? []) {
    if (item.type === "diff") add(item.path);
    // A diff of version 2 also has changes without a text, such as moves.
    const { "acp-kit/diff": diff } = (item._meta ?? {}) as { "acp-kit/diff"?: { changes?: unknown } };
    for (const change of Array.isArray(diff?.changes) ? diff.changes : []) {
      add(change?.path);
      add(change?.oldPath);
    }
  }
  return [...paths];
}
