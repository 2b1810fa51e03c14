import { withoutComments } from "@acp-kit/configs/without-comments";
import ts from "typescript-api";

/** A change of one node of a source. */
export interface Change {
  /** The path of the source, relative to `packages/gateway/src`. */
  readonly file: string;
  /** The function that contains the node: `name`, or `Class.method`. */
  readonly in: string;
  /** The code of the node: a statement, an expression, a parameter, … Line breaks, spaces and comments don't matter. */
  readonly from: string;
  /** The code in its place. */
  readonly to: string;
}

/**
 * Returns a source in which one node is replaced.
 *
 * @throws {Error} if the source does not contain the function and, in it, the node exactly once.
 */
export function plant(source: string, { file, in: name, from, to }: Change): string {
  const text = withoutComments(source);
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const scopes = nodesBelow(tree).filter((node) => ts.isFunctionLike(node) && hasBody(node) && nameOf(node) === name);
  const [scope] = scopes;
  if (scope === undefined || scopes.length > 1)
    throw new Error(`${file} has ${scopes.length} functions ${name}, not 1`);
  const wanted = compact(from);
  const equal = nodesBelow(scope).filter((node) => compact(node.getText()) === wanted);
  // An expression is equal to the statement that consists of it: the outer one is replaced.
  const [node, ...others] = equal.filter((node) => !equal.includes(node.parent));
  if (node === undefined || others.length > 0)
    throw new Error(`${name} in ${file} has ${equal.length} nodes \`${from}\`, not 1`);
  return text.slice(0, node.getStart()) + to + text.slice(node.end);
}

function nodesBelow(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

const hasBody = (node: ts.Node): boolean => (node as { readonly body?: ts.Node }).body !== undefined;

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const own = ts.isConstructorDeclaration(node) ? "constructor" : node.name?.getText();
  return ts.isClassLike(node.parent) ? `${node.parent.name?.text}.${own}` : own;
}

/** Code without white space, trailing commas and its last semicolon. */
const compact = (code: string): string =>
  code
    .replace(/\s+/g, "")
    .replace(/,(?=[)\]}])/g, "")
    .replace(/;$/, "");
