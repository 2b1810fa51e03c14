import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { exportedNames } from "@acp-kit/workspace-tests/exported-names";
import { beforeAll, expect, inject, it } from "vitest";
import { node, run } from "./commands.js";
import { allEntries, type Entry } from "./entries.js";
import { type Exports, load } from "./exports-of.js";

const { pnpm: homes } = inject("homes");
/** The folder with all projects. */
const workspace = dirname(Object.values(homes)[0] ?? "");
const require = createRequire(import.meta.url);

const helpers = `declare function infer<T>(): T;
type Members<T> = { [K in keyof T]: T[K] extends (...args: never[]) => infer R ? Awaited<R> : T[K] };`;

const compilerOptions = {
  lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
  types: ["node"],
  typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
  target: "ES2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: "out",
};

/** The errors of the compiler, for all projects: one process checks them, each as a program of its own. */
let errors: readonly string[];
beforeAll(async () => {
  for (const [name, home] of Object.entries(homes)) await writeConsumer(home, entriesOf(name));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const { stdout, stderr } = await run(node(tsc, "-b", "--pretty", "false", ...Object.values(homes)), workspace);
  errors = `${stdout}${stderr}`.split("\n").filter((line) => /^\S/.test(line)); // without the indented details
});

// Under pnpm, a project can import only the packages that it lists. If an inferred type mentions a type of another
// package that we don't re-export, the compiler can't name it: TS2742.
it.each(Object.entries(homes))(
  "compiles a project that depends only on %s and exports values with types inferred from the package",
  (name, home) => {
    const folder = folderOf(home);
    const advice = [...new Set(errors.filter((line) => line.startsWith(folder)).map(adviceOn))].sort();
    // A project that installs a peer can name its types.
    const isForeign = entriesOf(name).some(({ foreign }) => foreign);
    expect(isForeign ? advice.filter((line) => /@acp-kit/.test(line)) : advice).toEqual([]);
  },
);

it("compiles every project, and reports no error outside the projects", () => {
  const folders = Object.values(homes).map(folderOf);
  expect(errors.filter((line) => !folders.some((folder) => line.startsWith(folder)))).toEqual([]);
  for (const home of Object.values(homes)) expect(readdirSync(join(home, "out"))).toContain("tsconfig.tsbuildinfo");
});

const folderOf = (home: string) => `${relative(workspace, home).replaceAll("\\", "/")}/`;
/** The names that declarations export: `./internal` may share the file of its package, which exports more. */
const declared = new Set(exportedNames().map(({ entry, name }) => `${entry} ${name}`));
const entriesOf = (wanted: string) => allEntries.filter(({ packageName }) => packageName === wanted);

/** Writes a project that uses every export of a package. */
async function writeConsumer(home: string, entries: readonly Entry[]): Promise<void> {
  const specifiers = entries.map(({ specifier }) => specifier);
  const { exports } = await load(home, specifiers, "import");
  const source = Object.entries(exports).map(([specifier, names], index) => consumerOf(specifier, names, index));
  writeFileSync(join(home, "consumer.ts"), `${helpers}\n${source.join("\n")}`);
  const options = { ...compilerOptions, skipLibCheck: entries.some(({ foreign }) => foreign) };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["consumer.ts"] }));
}

/** Returns the advice for an error of the compiler. */
function adviceOn(line: string): string {
  const [, type, from] = /without a reference to '(\w+)' from '.*node_modules\/(@acp-kit\/[^/']+)/.exec(line) ?? [];
  return type ? `re-export the type ${type} of ${from}` : line;
}

/** Exports each value of an entry for users, the result of each function, and the results of that result's members. */
function consumerOf(specifier: string, names: Exports, index: number): string {
  const entry = `entry${index}`;
  const lines = Object.entries(names).flatMap(([name, kind]) => {
    if (specifier.endsWith("/internal") || !declared.has(`${specifier} ${name}`)) return [];
    const exported = `${entry}_${name}`;
    const line = `export const ${exported} = ${entry}.${name};`;
    if (kind === "value") return [line];
    const of = `typeof ${entry}.${name}`;
    const result = kind === "class" ? `InstanceType<${of}>` : `Awaited<ReturnType<${of}>>`;
    return [
      line,
      `export const ${exported}_result = infer<${result}>();`,
      `export const ${exported}_members = infer<Members<${result}>>();`,
    ];
  });
  return `import * as ${entry} from ${JSON.stringify(specifier)};\n${lines.join("\n")}`;
}
