import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript-api";

/** The names that a package re-exports from other packages: specifier → names; `*` for all names. */
export type PackageExports = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads the re-exports of a package from the sources of its entry points.
 *
 * @param exports - the `exports` of its package.json: `./dist/v2/index.js` is built from `src/v2/index.ts`.
 */
export function readExports(folder: string, exports: unknown): PackageExports {
  const found = new Map<string, Set<string>>();
  const visited = new Set<string>();
  const queue = entryFiles(folder, exports);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (visited.has(file) || !existsSync(file)) continue;
    visited.add(file);
    for (const { specifier, name } of exportsOf(file)) {
      if (specifier.startsWith(".")) queue.push(join(dirname(file), specifier.replace(/\.js$/, ".ts")));
      else found.set(specifier, (found.get(specifier) ?? new Set()).add(name));
    }
  }
  return found;
}

function entryFiles(folder: string, exports: unknown): string[] {
  const built = [...JSON.stringify(exports ?? {}).matchAll(/"\.\/dist\/([^"]+)\.js"/g)].map(([, path]) => path ?? "");
  return ["index", ...built].map((path) => join(folder, "src", `${path}.ts`));
}

/** Reads `export … from`, and `export { X }` of an imported name. */
function exportsOf(file: string): { readonly specifier: string; readonly name: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022);
  const imported = new Map<string, { specifier: string; name: string }>();
  const found: { specifier: string; name: string }[] = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements)
        imported.set(name.text, { specifier: statement.moduleSpecifier.text, name: (propertyName ?? name).text });
    }
    if (!ts.isExportDeclaration(statement)) continue;
    const from = statement.moduleSpecifier;
    const specifier = from !== undefined && ts.isStringLiteral(from) ? from.text : undefined;
    const names = statement.exportClause;
    if (names === undefined || !ts.isNamedExports(names)) {
      if (specifier !== undefined) found.push({ specifier, name: "*" });
      continue;
    }
    for (const { name, propertyName } of names.elements) {
      const local = (propertyName ?? name).text;
      const origin = specifier === undefined ? imported.get(local) : { specifier, name: local };
      if (origin !== undefined) found.push(origin);
    }
  }
  return found;
}

/**
 * Returns the generated names that a package re-exports, also through other packages of the workspace.
 *
 * @returns the names for each specifier of the generated package. For a package that re-exports everything, these are
 * all names.
 */
export function reexportsFrom(
  name: string,
  packages: ReadonlyMap<string, PackageExports>,
  isGenerated: (name: string) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (specifier: string, names: Iterable<string>): void => {
    found.set(specifier, new Set([...(found.get(specifier) ?? []), ...names]));
  };
  const visit = (current: string, wanted: ReadonlySet<string>, seen: readonly string[]): void => {
    for (const [specifier, names] of packages.get(current) ?? []) {
      const all = wanted.has("*");
      const passed = names.has("*") ? wanted : new Set([...names].filter((one) => all || wanted.has(one)));
      if (passed.size === 0) continue;
      const target = specifier.split("/").slice(0, 2).join("/");
      if (isGenerated(target)) add(specifier, passed);
      else if (!seen.includes(target)) visit(target, passed, [...seen, target]);
    }
  };
  visit(name, new Set("*"), [name]);
  return found;
}
