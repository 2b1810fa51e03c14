/**
 * A fault, or a repair: where, and what.
 *
 * The shape is Standard Schema's, so issues can be passed to any tool that shows those.
 */
export interface Issue {
  /** From the decoded value to the member; array items by their index on the wire. Empty: the value itself. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Formats `["update", "content", 0, "text"]` as `update.content[0].text`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "string" && /^[\w$-]+$/.test(key)) text += text === "" ? key : `.${key}`;
    else text += `[${typeof key === "string" ? JSON.stringify(key) : String(key)}]`;
  }
  return text;
}

/** Formats an issue as one line: `update.content.text: must be a string (missing)`. */
export function formatIssue({ path, message }: Issue): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
}
