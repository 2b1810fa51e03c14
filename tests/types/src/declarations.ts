import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, packages } from "@acp-kit/configs/packages";
import ts from "typescript-api";

/** A protocol version, and the two files that declare its types. */
export interface Version {
  readonly id: string;
  readonly ours: string;
  readonly theirs: string;
}

const generated = (folder: string) => fileURLToPath(new URL(`../../../packages/${folder}/src/gen/`, import.meta.url));

/** Unstable types import stable types by the package's name. The alias makes a build unnecessary. */
const sources = Object.fromEntries(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), [join(directory, source)]]),
  ),
);

const sdk = join(
  dirname(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json")),
  "../..",
);

const version = (id: string, theirs: string): Version => ({
  id,
  // The stable types are in the package `types`.
  ours: join(generated(id.endsWith("unstable") ? "schema" : "types"), id, "types.gen.ts"),
  theirs: join(sdk, "dist", theirs, "schema", "types.gen.d.ts"),
});

/** All four, stable and unstable. */
export const versions: readonly Version[] = [
  version("v1", "v1"),
  version("v1-unstable", "v1/unstable"),
  version("v2", "v2"),
  version("v2-unstable", "v2/unstable"),
];

/** Returns the exported types of a file, by name. */
export type Exports = ReadonlyMap<string, ts.Type>;

/** Loads both files of every version in one program. */
export class Declarations {
  readonly checker: ts.TypeChecker;
  readonly #program: ts.Program;

  constructor(read: (path: string, text: string) => string = (_, text) => text) {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
      paths: sources,
    };
    const host = ts.createCompilerHost(options);
    const original = host.readFile;
    host.readFile = (path) => {
      const text = original(path);
      return text === undefined ? undefined : read(path, text);
    };
    host.getSourceFile = (path, target) => {
      const text = host.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    };
    this.#program = ts.createProgram(
      versions.flatMap(({ ours, theirs }) => [ours, theirs]),
      options,
      host,
    );
    this.checker = this.#program.getTypeChecker();
  }

  /** Returns the compiler's errors as text. */
  errors(): string[] {
    return ts
      .getPreEmitDiagnostics(this.#program)
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  }

  /** Returns the exported types of a file, without generic types, which can't be compared alone. */
  exports(path: string): Exports {
    const source = this.#program.getSourceFile(path);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${path} is no module`);
    return new Map(
      this.checker.getExportsOfModule(module).flatMap((exported): [string, ts.Type][] => {
        const symbol = this.#declared(exported);
        // A constant may have the same name.
        const declaration = symbol.declarations?.find(isTypeDeclaration);
        if (declaration === undefined || declaration.typeParameters !== undefined) return [];
        return [[symbol.name, this.checker.getDeclaredTypeOfSymbol(symbol)]];
      }),
    );
  }

  #declared(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /**
   * Returns the members that a value of the type can have. For a union, these are the members of all alternatives;
   * strings and numbers have none.
   */
  members(type: ts.Type): string[] {
    const alternatives = (type.isUnion() ? type.types : [type]).filter(isObject);
    return [
      ...new Set(alternatives.flatMap((object) => this.checker.getPropertiesOfType(object).map(({ name }) => name))),
    ].sort();
  }
}

function isTypeDeclaration(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function isObject(type: ts.Type): boolean {
  return type.isIntersection() ? type.types.every(isObject) : (type.flags & ts.TypeFlags.Object) !== 0;
}
