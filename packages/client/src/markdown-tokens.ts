/** A block of code, as the library `marked` has it. */
export interface CodeToken {
  type: "code";
  raw: string;
  lang: string;
  text: string;
}

/**
 * Rules for the library `marked`: Markdown as agents write it. One tilde is no strikethrough, because texts have ranges
 * such as `5~7`. A fence whose language is Markdown contains the fences inside it, although they are as long as itself.
 */
export const markdownTokens: {
  readonly del: (source: string) => false | undefined;
  readonly fences: (source: string) => CodeToken | false;
} = {
  del: (source) => (source.startsWith("~~") ? false : undefined),
  fences(source) {
    const raw = markdownFence(source);
    if (raw === undefined) return false;
    const [first = "", ...lines] = raw.text.split("\n");
    const lang = first.replace(/^[ `~]+/, "").trim();
    return { type: "code", raw: raw.text, lang, text: (raw.isClosed ? lines.slice(0, -1) : lines).join("\n") };
  },
};

/**
 * Returns a fence of Markdown at the beginning of a text, up to its end or to that of the text, or `undefined` if there
 * is none.
 */
function markdownFence(source: string): { readonly text: string; readonly isClosed: boolean } | undefined {
  const open = /^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|mdx?)\b[^`\n]*\n/i.exec(source);
  if (open === null) return undefined;
  const [head, mark = ""] = open;
  /** The lengths of the fences that are open inside this one. */
  const inner: number[] = [];
  for (let at = head.length; at < source.length; ) {
    const feed = source.indexOf("\n", at);
    const end = feed < 0 ? source.length : feed;
    const [indented = "", fence = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(source.slice(at, end)) ?? [];
    const info = source.slice(at + indented.length, end).trim();
    at = end + 1;
    if (fence[0] !== mark[0] || info.includes("`")) continue;
    if (info !== "") inner.push(fence.length);
    else if (inner.length > 0) {
      if (fence.length >= (inner.at(-1) ?? 0)) inner.pop();
    } else if (fence.length >= mark.length) return { text: source.slice(0, end), isClosed: true };
  }
  return { text: source, isClosed: false };
}
