import type { ToolKind } from "@acp-kit/types";

/** Words that occur in the names of coding agents' tools, by the kind of tool that they stand for. */
const kinds: Readonly<Record<ToolKind, readonly string[]>> = {
  read: ["read", "cat", "open", "view"],
  edit: ["edit", "write", "create", "patch", "replace", "insert", "multiedit", "apply"],
  delete: ["delete", "remove", "rm", "unlink"],
  move: ["move", "rename", "mv"],
  search: ["search", "grep", "glob", "find", "rg", "ls", "list"],
  execute: ["bash", "shell", "exec", "execute", "run", "terminal", "command", "powershell"],
  think: ["think", "reason", "skill"],
  fetch: ["fetch", "web", "http", "browse", "curl", "download"],
  switch_mode: ["switchmode", "exitplanmode", "enterplanmode", "setmode"],
  other: ["writetodos", "todo", "task", "question", "ask", "mcp", "agent"],
};

/**
 * Returns the kind of a tool by its name: `read_file` → `read`, `web_search` → `fetch`, `ApplyPatch` → `edit`. The
 * function looks up the whole name first, then the words of the name in order; a name without known words has the kind
 * `other`.
 *
 * @param overrides kinds by exact tool name, which are looked up first.
 */
export function toolKind(name: string, overrides: Readonly<Record<string, ToolKind>> = {}): ToolKind {
  const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (override !== undefined) return override;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  const known = Object.keys(kinds) as ToolKind[];
  for (const word of [words.join(""), ...words]) {
    const kind = known.find((each) => kinds[each].includes(word));
    if (kind !== undefined) return kind;
  }
  return "other";
}
