import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { entries, packages, root } from "@acp-kit/configs/packages";
import ts from "typescript-api";

/** An exported name and the place of its declaration: a file below the root, and its name there. */
export interface ExportedName {
  readonly name: string;
  /** The entry that exports the name, such as `@acp-kit/stdio/node`. */
  readonly entry: string;
  readonly declaration: string;
}

/** Returns every name that an entry of a published package exports. Re-exports are followed to their declarations. */
export function exportedNames(): ExportedName[] {
  return allEntries.flatMap(({ entry, file }) =>
    [...exportsOf(file)].map(([name, declaration]) => ({ name, entry, declaration })),
  );
}

const allEntries: readonly { readonly entry: string; readonly file: string }[] = packages().flatMap(
  ({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => ({
      entry: `${name}${subpath.slice(1)}`,
      file: join(directory, source),
    })),
);

const known = new Map<string, ReadonlyMap<string, string>>();

/** Returns the exports of a module: each name with its declaration. */
function exportsOf(file: string): ReadonlyMap<string, string> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const found = new Map<string, string>();
  known.set(file, found); // Modules may import each other in a cycle.
  const imported = new Map<string, string>();
  const here = (name: string): string => `${relative(root, file)}#${name}`;
  for (const statement of ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const { name, propertyName } of namedImports(statement)) {
        imported.set(name.text, declarationIn(statement.moduleSpecifier, file, (propertyName ?? name).text));
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (exportClause === undefined && moduleSpecifier !== undefined) {
        const target = fileOf(moduleSpecifier, file);
        for (const [name, declaration] of target === undefined ? [] : exportsOf(target)) {
          if (!found.has(name)) found.set(name, declaration); // An explicit export overrides `export *`.
        }
      } else if (exportClause !== undefined && ts.isNamedExports(exportClause)) {
        for (const { name, propertyName } of exportClause.elements) {
          const original = (propertyName ?? name).text;
          const declaration =
            moduleSpecifier === undefined
              ? (imported.get(original) ?? here(original))
              : declarationIn(moduleSpecifier, file, original);
          found.set(name.text, declaration);
        }
      }
    } else if (isExported(statement)) {
      for (const name of declaredNames(statement)) found.set(name, here(name));
    }
  }
  return found;
}

function namedImports({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function declarationIn(specifier: ts.Expression, from: string, name: string): string {
  const target = fileOf(specifier, from);
  if (target !== undefined) return exportsOf(target).get(name) ?? `${relative(root, target)}#${name}`;
  return `${(specifier as ts.StringLiteral).text}#${name}`; // The module belongs to a library.
}

function fileOf(specifier: ts.Expression, from: string): string | undefined {
  const { text } = specifier as ts.StringLiteral;
  if (text.startsWith(".")) {
    const file = join(dirname(from), text.replace(/\.js$/, ".ts"));
    return existsSync(file) ? file : undefined;
  }
  return allEntries.find(({ entry }) => entry === text)?.file;
}
