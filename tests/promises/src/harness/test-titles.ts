import { readFileSync } from "node:fs";
import ts from "typescript";

/** The titles of the tests in a file, as they are written there: `%s` is not filled in. */
export function testTitles(path: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return titles;
}

/** `it`, `test`, `it.fails`, `it.each([…])`, `it.skipIf(…)`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "it" || callee.text === "test";
  if (ts.isPropertyAccessExpression(callee)) return !isFactory(callee.name) && isTest(callee.expression);
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    isFactory(callee.expression.name) &&
    isTest(callee.expression.expression)
  );
}

function isFactory({ text }: ts.MemberName): boolean {
  return text === "each" || text === "skipIf";
}
