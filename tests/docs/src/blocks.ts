/** A fenced block of a Markdown file. */
export interface Block {
  /** 1-based. The line of the fence. */
  readonly line: number;
  readonly language: string;
  /** The source of its text: `path` or `path#region`, from the root of the repository. */
  readonly file: string | undefined;
  readonly text: string;
}

/**
 * A fenced block, and the comment on the line before it that names its source. A comment, because registries don't
 * highlight a fence with more words than its language.
 */
const FENCE = /^(<!-- file=(\S+) -->\n)?```([^\n]*)\n([\s\S]*?)^```$/gm;

/** Returns the fenced blocks of a Markdown text, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(({ index, 1: comment = "", 2: file, 3: language = "", 4: text = "" }) => ({
    line: markdown.slice(0, index + comment.length).split("\n").length,
    language,
    file,
    text,
  }));
}

/** Returns the Markdown text with the code of every block that names a file replaced by the file's text. */
export function filled(markdown: string, textOf: (file: string) => string): string {
  return markdown.replace(FENCE, (block: string, comment: string, file: string | undefined, language: string) =>
    file === undefined ? block : `${comment}\`\`\`${language}\n${textOf(file)}\`\`\``,
  );
}
