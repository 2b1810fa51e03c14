/**
 * A fault of a value, or the repair of a fault: the path and a message.
 *
 * It has the form of an issue of Standard Schema, so that tools for Standard Schema can show it.
 */
export interface Issue {
  /**
   * The path from the decoded value to the member; an item of an array is named by its index in the received array. An
   * empty path means the value itself.
   */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Formats a path such as `["update", "content", 0, "text"]` as `update.content[0].text`. */
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
