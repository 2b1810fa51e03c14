import ts from "typescript";

/** What bundlers read: that a call may be dropped, that an import is not theirs. */
const INSTRUCTION = /[@#]__[A-Z_]+__|@vite-ignore|webpackIgnore/;

/**
 * The same TypeScript with spaces in place of its comments. Every other character keeps its line and column, so that a source map of the
 * result is one of the original.
 *
 * The published code has no comments, because Node reads it each time an agent starts; the declarations and the source maps have them.
 */
export function withoutComments(code, hasJsx = false) {
  const kind = hasJsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile("source.tsx", code, ts.ScriptTarget.Latest, false, kind);
  let result = "";
  visit(file);
  return result;

  function visit(node) {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    const start = node.getStart(file, false);
    // Nothing but comments and white space stands between two tokens.
    result += blanked(code.slice(node.pos, start)) + code.slice(start, node.end);
  }
}

const blanked = (text) => (text.startsWith("#!") || INSTRUCTION.test(text) ? text : text.replaceAll(/\S/g, " "));
