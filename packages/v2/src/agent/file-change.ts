import type { ToolCallContent } from "@acp-kit/types";
import type { DiffChange } from "@acp-kit/types/v2";
import { toolContentToApi } from "../codec/api-tool-call.js";

/**
 * Creates the content of a tool call for changes of files that are not an old and a new text, such as deleted, moved
 * and copied files. Use `diff` of `@acp-kit/agent` for a text that changes.
 *
 * A client of version 1 gets the old and the new text of each hunk of the patch, or a text that names the change.
 *
 * @param patch the changes in the format of `git diff`, with absolute paths and no prefixes.
 * @example
 * ```ts
 * await call.add(...fileChange({ operation: "move", oldPath: "/work/a.ts", path: "/work/b.ts" }));
 * ```
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#diffs
 */
export function fileChange(change: DiffChange | readonly DiffChange[], patch?: string): ToolCallContent[] {
  const changes = [change].flat();
  const text = patch === undefined ? {} : { patch: { format: "git_patch", text: patch } };
  return toolContentToApi({ type: "diff", changes, ...text } as never) as ToolCallContent[];
}
