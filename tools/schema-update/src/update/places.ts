import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { outputDirectories } from "@acp-kit/codegen/output-paths";
import { entries } from "@acp-kit/configs/packages";
import ts from "typescript-api";

/** What a decision is about, to find the hand-written code that it concerns. */
export interface Target {
  /** The schema: `v1`, `v1-unstable`, … */
  readonly schema: string;
  /** Exports of the generated code: `ToolKind`, `agentMethods.newSession`. */
  readonly exports?: readonly string[];
  /** A member of a generated type. */
  readonly member?: { readonly owner: string; readonly name: string } | undefined;
  /** The wire name of a method. */
  readonly method?: string | undefined;
  /** A tag or a value of an enum, and the others beside it. */
  readonly value?: { readonly name: string; readonly others: readonly string[] } | undefined;
  /** New names, for code that lists every other one: a `switch`, a table, a union. */
  readonly missing?: { readonly names: readonly string[]; readonly others: readonly string[] } | undefined;
}

/** The folders with hand-written code that uses generated code. */
const folders = ["packages", "examples", "tests", "bench", "tools/codegen/src"];

/**
 * Finds the places in hand-written code that concern each target. Names are resolved with the types of the generated
 * code in the tree, so an unrelated member of the same name is not a place.
 *
 * @returns for each target one string per file: `packages/agent/src/x.ts:12,34`. Code of the packages is first, tests
 * are last.
 */
export function findPlaces(root: string, targets: readonly Target[]): readonly (readonly string[])[] {
  const files = folders
    .flatMap((folder) => sources(root, folder))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const words = targets.map(wordsOf);
  const mentions = (path: string, text: string, index: number): boolean => {
    const target = targets[index];
    if (target === undefined || !isAbout(path, text, target)) return false;
    if (words[index]?.some((word) => text.includes(word)) === true) return true;
    return target.missing !== undefined && mayBeIncomplete(path, text, target.missing);
  };
  const concerned = files.flatMap(({ path, text }) => {
    const own = targets.flatMap((target, index) => (mentions(path, text, index) ? [{ target, index }] : []));
    return own.length > 0 ? [{ path, own }] : [];
  });
  if (concerned.length === 0) return targets.map(() => []);
  const program = createProgram(
    root,
    concerned.map(({ path }) => join(root, path)),
  );
  const checker = program.getTypeChecker();
  const found = targets.map(() => new Map<string, Set<number>>());
  for (const { path, own } of concerned) {
    const source = program.getSourceFile(join(root, path));
    if (source === undefined) continue;
    const visit = (node: ts.Node): void => {
      for (const { target, index } of own) {
        if (!concerns(checker, node, target)) continue;
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        const lines = found[index]?.get(path) ?? new Set<number>();
        found[index]?.set(path, lines.add(line));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found.map((places) =>
    [...places].sort(([a], [b]) => rank(a) - rank(b)).map(([path, lines]) => `${path}:${[...lines].join(",")}`),
  );
}

function wordsOf({ exports = [], member, method, value }: Target): readonly string[] {
  return [
    ...exports.map((name) => name.slice(name.lastIndexOf(".") + 1)),
    ...(member === undefined ? [] : [member.name]),
    ...(method === undefined ? [] : [method]),
    ...(value === undefined ? [] : [value.name]),
  ];
}

/** Code for version 2 uses the same names with another meaning. */
function isAbout(path: string, text: string, { schema }: Target): boolean {
  const isForV2 = path.includes("/v2/");
  return schema.startsWith("v2") ? isForV2 || /["'/]v2["'/]/.test(text) : !isForV2;
}

function concerns(checker: ts.TypeChecker, node: ts.Node, target: Target): boolean {
  const { exports = [], member, method, value, missing, schema } = target;
  if (missing !== undefined && missing.others.length > 1 && isIncomplete(checker, node, missing)) return true;
  if (ts.isStringLiteralLike(node))
    return (
      node.text === method || (value !== undefined && node.text === value.name && isOneOf(checker, node, value.others))
    );
  if (!ts.isIdentifier(node)) return false;
  if (member !== undefined && node.text === member.name)
    return declarationsOf(checker, node).some((one) => isFrom(one, schema) && isOwner(ownerOf(one), member.owner));
  return exports.some((name) => {
    const [first = "", second] = name.split(".");
    if (node.text !== (second ?? first)) return false;
    const declarations = second === undefined ? exportedAs(checker, node) : declarationsOf(checker, node);
    return declarations.some((one) => isFrom(one, schema) && ownerOf(one) === first);
  });
}

/**
 * Whether a node has to decide about new names: a `switch` over the type that they belong to, or a list of all others
 * (the keys of a table, a union of literals).
 */
function isIncomplete(checker: ts.TypeChecker, node: ts.Node, missing: NonNullable<Target["missing"]>): boolean {
  const { names, others } = missing;
  const listed = namesIn(node);
  if (listed.length === 0 || names.every((one) => listed.includes(one))) return false;
  const decides = ts.isSwitchStatement(node) ? literalsOf(checker.getTypeAtLocation(node.expression)) : listed;
  return others.every((one) => decides.includes(one));
}

/** Whether a file has a `switch` or a list with some of the names. Only the types of such a file are read. */
function mayBeIncomplete(path: string, text: string, { others }: NonNullable<Target["missing"]>): boolean {
  if (others.length < 2 || !others.some((name) => text.includes(name))) return false;
  const visit = (node: ts.Node): boolean => {
    const listed = namesIn(node).filter((name) => others.includes(name)).length;
    return (
      listed === others.length || (ts.isSwitchStatement(node) && listed > 0) || ts.forEachChild(node, visit) === true
    );
  };
  return visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022));
}

function literalsOf(type: ts.Type): readonly string[] {
  return (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
}

function namesIn(node: ts.Node): readonly string[] {
  const textOf = (one: ts.Node | undefined): string[] =>
    one !== undefined && (ts.isStringLiteralLike(one) || ts.isIdentifier(one)) ? [one.text] : [];
  if (ts.isSwitchStatement(node))
    return node.caseBlock.clauses.flatMap((clause) => (ts.isCaseClause(clause) ? textOf(clause.expression) : []));
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap(({ name }) => textOf(name));
  if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node))
    return node.members.flatMap(({ name }) => textOf(name));
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((one) => (ts.isStringLiteralLike(one) ? [one.text] : []));
  if (ts.isUnionTypeNode(node))
    return node.types.flatMap((one) => (ts.isLiteralTypeNode(one) ? textOf(one.literal) : []));
  return [];
}

/** Whether one of the other values would be valid in place of a literal: in a comparison, `case` or typed value. */
function isOneOf(checker: ts.TypeChecker, node: ts.StringLiteralLike, others: readonly string[]): boolean {
  const { parent } = node;
  const beside = ts.isBinaryExpression(parent)
    ? checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left)
    : ts.isCaseClause(parent)
      ? checker.getTypeAtLocation(parent.parent.parent.expression)
      : checker.getContextualType(node);
  return beside !== undefined && literalsOf(beside).some((value) => others.includes(value));
}

/** Returns where a name is declared, behind imports. */
function exportedAs(checker: ts.TypeChecker, node: ts.Identifier): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(node);
  const target =
    symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target?.declarations ?? [];
}

/** Returns where a member is declared: of an accessed object, a destructured one, or the type of a literal. */
function declarationsOf(checker: ts.TypeChecker, node: ts.Identifier): readonly ts.Declaration[] {
  const { parent } = node;
  const memberOf = (type: ts.Type | undefined): readonly ts.Declaration[] =>
    (type === undefined ? [] : type.isUnion() ? type.types : [type]).flatMap(
      (one) => one.getProperty(node.text)?.declarations ?? [],
    );
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return memberOf(checker.getNonNullableType(checker.getTypeAtLocation(parent.expression)));
  if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node)
    return memberOf(checker.getNonNullableType(checker.getTypeAtLocation(parent.parent)));
  if ((ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && parent.name === node)
    return memberOf(checker.getContextualType(parent.parent));
  return [];
}

function isFrom(declaration: ts.Declaration, schema: string): boolean {
  const { fileName } = declaration.getSourceFile();
  return [schema, schema.replace("-unstable", "")].some((id) => fileName.includes(`/gen/${id}/`));
}

/** Returns the name of the type or constant that a declaration belongs to. */
function ownerOf(declaration: ts.Node): string | undefined {
  for (let node: ts.Node | undefined = declaration; node !== undefined; node = node.parent) {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) return node.name.text;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return node.name.text;
  }
  return undefined;
}

/** Whether a generated type is a form of a definition: `IncomingPlan`, `TextContentBlock`, `SessionOptionBase`. */
function isOwner(type: string | undefined, definition: string): boolean {
  return type?.endsWith(definition) === true || type?.endsWith(`${definition}Base`) === true;
}

/** Creates a program of the workspace's sources alone. Types of other packages take long to read. */
function createProgram(root: string, files: readonly string[]): ts.Program {
  const options: ts.CompilerOptions = {
    ...{
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
    ...{ jsx: ts.JsxEmit.ReactJSX, types: [], noEmit: true, strict: true, skipLibCheck: true },
  };
  const host = ts.createCompilerHost(options);
  const entryPoints = entryPointsOf(root);
  const resolve = (name: string, from: string): string | undefined => {
    const path = name.startsWith(".") ? join(dirname(from), name).replace(/\.js$/, "") : entryPoints.get(name);
    return path === undefined
      ? undefined
      : ["", ".ts", ".tsx", ".d.ts"]
          .map((end) => `${path}${end}`)
          .find((one) => /\.tsx?$/.test(one) && existsSync(one));
  };
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const resolvedFileName = resolve(text, from);
      if (resolvedFileName === undefined) return { resolvedModule: undefined };
      return {
        resolvedModule: {
          resolvedFileName,
          extension: /\.tsx$/.test(resolvedFileName) ? ts.Extension.Tsx : ts.Extension.Ts,
        },
      };
    });
  return ts.createProgram({ rootNames: files, options, host });
}

function entryPointsOf(root: string): ReadonlyMap<string, string> {
  const directory = join(root, "packages");
  return new Map(
    folderNames(directory).flatMap((folder) => {
      const path = join(directory, folder);
      if (!existsSync(join(path, "package.json"))) return [];
      const { name } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as { readonly name: string };
      return entries(path).map(({ subpath, source }) => [`${name}${subpath.slice(1)}`, join(path, source)] as const);
    }),
  );
}

const folderNames = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory).sort() : [];

function sources(root: string, folder: string): readonly string[] {
  const directory = join(root, folder);
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const skipped = ["node_modules", "dist", "build"].includes(entry.name) || outputDirectories.includes(path);
      return skipped ? [] : sources(root, path);
    }
    return entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

/** Sorts code of the packages first, and tests last. */
function rank(file: string): number {
  if (file.includes(".test") || file.startsWith("tests/")) return 2;
  return file.startsWith("packages/") ? 0 : 1;
}
