import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, inject, it } from "vitest";
import { node, run } from "./commands.js";
import { allEntries } from "./entries.js";
import { type Exports, load } from "./exports-of.js";

const { pnpm: homes } = inject("homes");
const require = createRequire(import.meta.url);

const helpers = `declare function infer<T>(): T;
type Members<T> = { [K in keyof T]: T[K] extends (...args: never[]) => infer R ? Awaited<R> : T[K] };`;

// Under pnpm a project sees only the packages that it lists. When the type that a compiler infers for an export mentions
// another one that we don't re-export, it can't be named: TS2742.
it.concurrent.each(Object.entries(homes))(
  "lets a project with %s alone export what the package returns",
  async (name, home) => {
    const entries = allEntries.filter(({ packageName }) => packageName === name);
    const { exports } = await load(
      home,
      entries.map(({ specifier }) => specifier),
      "import",
    );
    const source = Object.entries(exports).map(([specifier, names], index) => consumerOf(specifier, names, index));
    writeFileSync(join(home, "consumer.ts"), `${helpers}\n${source.join("\n")}`);
    const compilerOptions = {
      lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
      types: ["node"],
      typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
      target: "ES2022",
      module: "nodenext",
      moduleResolution: "nodenext",
      strict: true,
      skipLibCheck: entries.some(({ foreign }) => foreign),
      declaration: true,
      emitDeclarationOnly: true,
      outDir: "out",
    };
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const tsc = join(dirname(require.resolve("typescript-newest/package.json")), "bin", "tsc");
    const { stdout, stderr } = await run(node(tsc, "--pretty", "false", "-p", home), home);
    const advice = [...new Set(`${stdout}${stderr}`.split("\n").filter(Boolean).map(adviceOn))].sort();
    // The project that installs a peer can name its types.
    const ours = entries.some(({ foreign }) => foreign) ? advice.filter((line) => /@acp-kit/.test(line)) : advice;
    expect(ours).toEqual([]);
  },
);

/** What to do about a line of the compiler's. */
function adviceOn(line: string): string {
  const [, type, from] = /without a reference to '(\w+)' from '.*node_modules\/(@acp-kit\/[^/']+)/.exec(line) ?? [];
  return type ? `re-export the type ${type} of ${from}` : line;
}

/** Exports each value of an entry, what each function returns, and what each member of that returns in turn. */
function consumerOf(specifier: string, names: Exports, index: number): string {
  const entry = `entry${index}`;
  const lines = Object.entries(names).flatMap(([name, kind]) => {
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
