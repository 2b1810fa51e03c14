import ts from "typescript-api";

/** A text of a source that people read: a comment, a message or the title of a test. */
export interface ProsePiece {
  readonly text: string;
  /** 1-based line of its start. */
  readonly line: number;
}

/** Matches calls whose first argument is a title: `it("…")`, `describe.each(…)("…")`, `verifies("id", …)`. */
const TITLED = /^(?:it|test|describe)\b/;

/**
 * In tests, only titles are read, because other strings are data. Elsewhere, every string of several words may be a
 * message.
 */
const IS_TEST = /^\s*(?:it|test|describe)\b/m;

const SEVERAL_WORDS = /[A-Za-z,;:.] +[A-Za-z]/;

/** Returns the comments, messages and titles of tests of a TypeScript or JavaScript source, in order. */
export function prosePiecesOf(source: string): ProsePiece[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  const onlyTitles = IS_TEST.test(source);
  const literals: (Range & { readonly isProse: boolean })[] = [];

  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (isText(node) || ts.isRegularExpressionLiteral(node)) {
      const range = { start: node.getStart(file) + 1, end: node.end - 1 };
      const isProse = isText(node) && SEVERAL_WORDS.test(source.slice(range.start, range.end));
      literals.push({ ...range, isProse: isProse && (!onlyTitles || isTitle(node, parent, file)) });
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(file, file);

  const pieceAt = ({ start, end }: Range): ProsePiece => ({
    text: source.slice(start, end),
    line: file.getLineAndCharacterOfPosition(start).line + 1,
  });
  const messages = literals.filter(({ isProse }) => isProse);
  return [...commentsOf(source, literals), ...messages].map(pieceAt).sort((a, b) => a.line - b.line);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds comments in a source whose literals are blanked, which is faster than visiting every token. */
function commentsOf(source: string, literals: readonly Range[]): Range[] {
  let code = "";
  for (const { start, end } of literals) code += source.slice(code.length, start) + " ".repeat(end - start);
  code += source.slice(code.length);
  return [...code.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function isTitle(node: ts.Node, parent: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return TITLED.test(parent.expression.getText(file));
}
