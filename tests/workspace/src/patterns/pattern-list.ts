import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import ts from "typescript-api";
import { filesBelow } from "../sources.js";

/** A regular-expression literal in the published code. */
export interface PatternLiteral {
  readonly source: string;
  readonly flags: string;
  /** The positions of the literal: `packages/x/src/y.ts:12`. */
  readonly places: readonly string[];
}

/** A regular expression that the published code builds from text. */
export interface BuiltPattern {
  readonly file: string;
  /** The source text of the call, on one line. */
  readonly call: string;
}

/** Returns every regular expression of the published packages, without tests. */
export function listPatterns(): {
  readonly literals: readonly PatternLiteral[];
  readonly built: readonly BuiltPattern[];
} {
  const places = new Map<string, string[]>();
  const built: BuiltPattern[] = [];
  for (const path of publishedSources()) {
    const file = relative(root, path).split(sep).join("/");
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        places.set(node.text, [...(places.get(node.text) ?? []), `${file}:${line + 1}`]);
      } else if (isRegExpCall(node)) built.push({ file, call: node.getText(source).replace(/\s+/g, " ") });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const literals = [...places].map(([text, own]) => {
    const end = text.lastIndexOf("/");
    return { source: text.slice(1, end), flags: text.slice(end + 1), places: own };
  });
  return { literals, built };
}

function publishedSources(): string[] {
  return packages().flatMap(({ directory }) =>
    filesBelow(directory)
      .filter((path) => /^src\/.*\.tsx?$/.test(path) && !/\.(?:test|test-d|examples)\.ts$/.test(path))
      .map((path) => join(directory, path)),
  );
}

/** Whether a node is `new RegExp(…)` or `RegExp(…)`, also with `globalThis.` before. */
function isRegExpCall(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  const { expression } = node;
  return (
    (ts.isIdentifier(expression) && expression.text === "RegExp") ||
    (ts.isPropertyAccessExpression(expression) && expression.name.text === "RegExp")
  );
}
