/** A fenced block of a Markdown file. */
export interface Block {
  /** 1-based. */
  readonly line: number;
  readonly language: string;
  /** Where its text comes from: `file=path` or `file=path#region`, from the root of the repository. */
  readonly file: string | undefined;
  readonly text: string;
}

const FENCE = /^```(\S*)[^\S\n]*([^\n]*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a Markdown text, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(({ index, 1: language = "", 2: info = "", 3: text = "" }) => ({
    line: markdown.slice(0, index).split("\n").length,
    language,
    file: /(?:^|\s)file=(\S+)/.exec(info)?.[1],
    text,
  }));
}

/** The Markdown text with every block that names a file filled from it. */
export function filled(markdown: string, textOf: (file: string) => string): string {
  return markdown.replace(FENCE, (block: string, language: string, info: string) => {
    const file = /(?:^|\s)file=(\S+)/.exec(info)?.[1];
    return file === undefined ? block : `\`\`\`${language} ${info}\n${textOf(file)}\`\`\``;
  });
}
