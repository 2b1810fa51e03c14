import ts from "typescript-api";
import type { Decision } from "./decisions.js";

/** The source file of the gate table. */
export const gateTableUrl: URL = new URL("gates.ts", import.meta.url);

/** Adds to each decision about an entry of the gate table the line of that entry. */
export function withGateLines(decisions: readonly Decision[], table: string): readonly Decision[] {
  if (decisions.every(({ entry }) => entry === undefined)) return decisions;
  const lineOf = gateLines(table);
  return decisions.map((decision) =>
    decision.entry === undefined ? decision : { ...decision, line: lineOf(decision.entry) },
  );
}

/**
 * Finds entries in the source of `gates.ts`. Tables copy entries of other tables (`...v1.methods.agent`), so an entry
 * of `v1-unstable` is often written in `v1`.
 *
 * @returns a function from a path of keys to the line, counted from 1; `undefined` if it finds no entry.
 */
export function gateLines(table: string): (entry: readonly string[]) => number | undefined {
  const source = ts.createSourceFile("gates.ts", table, ts.ScriptTarget.ES2022, true);
  const constants = constantsOf(source);

  /** Resolves an expression to its value, through constants and members of constants. */
  const resolved = (node: ts.Expression): ts.Expression | undefined => {
    if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
      return resolved(node.expression);
    if (ts.isIdentifier(node)) {
      const constant = constants.get(node.text);
      return constant === undefined ? undefined : resolved(constant);
    }
    if (ts.isPropertyAccessExpression(node)) return initializerOf(memberOf(node.expression, node.name.text));
    return node;
  };

  const memberOf = (node: ts.Expression, key: string): ts.ObjectLiteralElementLike | undefined => {
    const object = resolved(node);
    if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
    const own = object.properties.find((one) => one.name !== undefined && textOf(one.name) === key);
    if (own !== undefined) return own;
    const spreads = object.properties.filter(ts.isSpreadAssignment);
    return spreads.map((one) => memberOf(one.expression, key)).find((one) => one !== undefined);
  };

  const initializerOf = (member: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined => {
    if (member === undefined) return undefined;
    if (ts.isShorthandPropertyAssignment(member)) return resolved(member.name);
    return ts.isPropertyAssignment(member) ? resolved(member.initializer) : undefined;
  };

  /** Returns the position of the first of `names` in the first element of a list that contains all of them. */
  const elementOf = (list: ts.Expression | undefined, names: readonly string[]): ts.Node | undefined => {
    if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
    for (const element of list.elements) {
      const inner = ts.isSpreadElement(element) ? resolved(element.expression) : element;
      if (inner === undefined) continue;
      const found = ts.isArrayLiteralExpression(inner) ? elementOf(inner, names) : mention(inner, names);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return ([schema = "", section = "", ...keys]) => {
    const tables = constants.get("gates");
    const gates = tables === undefined ? undefined : initializerOf(memberOf(tables, schema));
    let found: ts.Node | undefined = gates === undefined ? undefined : memberOf(gates, section);
    if (section === "payloads" || section === "switches")
      found = elementOf(initializerOf(found as ts.ObjectLiteralElementLike | undefined), keys);
    else {
      for (const key of keys) {
        const value = initializerOf(found as ts.ObjectLiteralElementLike | undefined);
        found = value === undefined ? undefined : memberOf(value, key);
      }
    }
    return found === undefined ? undefined : source.getLineAndCharacterOfPosition(found.getStart()).line + 1;
  };
}

function constantsOf(source: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
  }
  return constants;
}

/** Returns the position of the first name below a node, if the node mentions all of the names. */
function mention(node: ts.Node, [first, ...others]: readonly string[]): ts.Node | undefined {
  const found = new Map<string, ts.Node>();
  const visit = (one: ts.Node): void => {
    const text = textOf(one);
    if (text !== undefined && !found.has(text)) found.set(text, one);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return first !== undefined && others.every((name) => found.has(name)) ? found.get(first) : undefined;
}

function textOf(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) || ts.isIdentifier(node) ? node.text : undefined;
}
