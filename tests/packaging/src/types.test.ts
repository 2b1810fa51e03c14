import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, inject, it } from "vitest";
import { node, run } from "./commands.js";
import { allEntries, type Entry, neutralEntries } from "./entries.js";

const { npm: home } = inject("homes");
const require = createRequire(import.meta.url);

// Our README promises the oldest supported compiler. Raising it is a breaking change.
const compilers = { "5.4": "typescript-oldest", "7.0": "typescript" };
const platforms = {
  web: { lib: ["ES2022", "DOM", "DOM.Iterable"], types: [] },
  node: { lib: ["ES2022"], types: ["node"] },
};
const resolutions = { nodenext: "nodenext", bundler: "esnext" };

const cases = Object.keys(compilers).flatMap((compiler) =>
  Object.keys(platforms).flatMap((platform) =>
    Object.keys(resolutions).map((resolution) => ({ compiler, platform, resolution })),
  ),
) as { compiler: keyof typeof compilers; platform: keyof typeof platforms; resolution: keyof typeof resolutions }[];

it.concurrent.each(cases)(
  "type-checks with TypeScript $compiler, $resolution, $platform types, declarations included",
  async ({ compiler, platform, resolution }) => {
    const directory = join(home, `types-${compiler}-${platform}-${resolution}`);
    mkdirSync(directory);
    const entries = (platform === "web" ? neutralEntries : allEntries).filter(({ foreign }) => !foreign);
    writeFileSync(join(directory, "consumer.ts"), consumerOf(entries));
    const compilerOptions = {
      ...platforms[platform],
      // The types in this project's node_modules/@types, not those of a parent folder.
      typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
      target: "ES2022",
      module: resolutions[resolution],
      moduleResolution: resolution,
      strict: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true, // the compiler's own declarations
      noEmit: true,
    };
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const tsc = join(dirname(require.resolve(`${compilers[compiler]}/package.json`)), "bin", "tsc");
    const { stdout, stderr } = await run(node(tsc, "--pretty", "false", "-p", directory), directory);
    expect(stdout + stderr).toBe("");
  },
);

it("type-checks with the installed peer dependencies, whose declarations are not checked", async () => {
  const directory = join(home, "types-peers");
  mkdirSync(directory);
  writeFileSync(join(directory, "consumer.ts"), consumerOf(allEntries.filter(({ foreign }) => foreign)));
  const compilerOptions = {
    lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: ["node"],
    typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
    target: "ES2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const tsc = join(dirname(require.resolve(`${compilers["7.0"]}/package.json`)), "bin", "tsc");
  const { stdout, stderr } = await run(node(tsc, "--pretty", "false", "-p", directory), directory);
  expect(stdout + stderr).toBe("");
});

/** Returns a program that mentions every export of every entry. */
function consumerOf(entries: readonly Entry[]): string {
  const lines = entries.map(
    ({ specifier }, index) =>
      `import * as entry${index} from ${JSON.stringify(specifier)};\nexport const names${index}: (keyof typeof entry${index})[] = [];`,
  );
  return lines.join("\n");
}
