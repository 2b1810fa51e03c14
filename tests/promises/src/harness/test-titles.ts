import { readFileSync } from "node:fs";
import ts from "typescript-api";

const PROMISE = /^[a-z-]+\.[a-z-]+: /;

/** Returns the titles of the tests in a file, and of groups that are named after a promise. `%s` is not replaced. */
export function testTitles(path: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    } else if (ts.isCallExpression(node) && isTest(node.expression, ["describe"])) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title) && PROMISE.test(title.text)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return titles;
}

/** Matches `it`, `test`, `it.fails`, `it.each([…])`, `it.skipIf(…)`, and the same for other names. */
function isTest(callee: ts.Expression, names: readonly string[] = ["it", "test"]): boolean {
  if (ts.isIdentifier(callee)) return names.includes(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return !isFactory(callee.name) && isTest(callee.expression, names);
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    isFactory(callee.expression.name) &&
    isTest(callee.expression.expression, names)
  );
}

function isFactory({ text }: ts.MemberName): boolean {
  return text === "each" || text === "skipIf";
}
