import ts from "typescript-api";

/**
 * Matches comments that are instructions for bundlers, such as that a call may be removed or an import must not be
 * resolved.
 */
const INSTRUCTION = /[@#]__[A-Z_]+__|@vite-ignore|webpackIgnore/;

/**
 * Replaces the comments of TypeScript code with spaces. Every other character keeps its line and column, so a source
 * map of the result also maps to the original.
 *
 * The published code has no comments, because Node reads the code each time an agent starts. Declarations and source
 * maps keep the comments.
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
    // Between two tokens there are only comments and white space.
    result += blanked(code.slice(node.pos, start)) + code.slice(start, node.end);
  }
}

const blanked = (text) => (text.startsWith("#!") || INSTRUCTION.test(text) ? text : text.replaceAll(/\S/g, " "));
