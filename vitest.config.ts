import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { entries, packages, root } from "./tools/configs/packages.mjs";

if (!existsSync(join(root, "packages/schema/src/gen/v1/validate.gen.js")))
  throw new Error("The sources that are generated and not committed are missing: run `pnpm sources`.");

// Tests run on sources: `@acp-kit/x/y` is the file that the export map of `x` says it is built from.
const alias = packages().flatMap(({ name, directory }) =>
  entries(directory).map(({ subpath, source }) => ({
    find: new RegExp(`^${name}${subpath.slice(1)}$`),
    replacement: join(directory, source),
  })),
);

/** React's tests run in a document, with both majors that are supported: an alias stands for the other one. */
const react = ["packages/react/src/**/*.test.tsx"];
const react18 = ["react", "react-dom"].map((name) => ({
  find: new RegExp(`^${name}(/|$)`),
  replacement: `${join(root, "tests/react-18/node_modules", name)}$1`,
}));

const all = ["packages", "tools", "tests", "examples"].map((folder) => `${folder}/*/src/**/*.test.ts`);

/**
 * Test files that need a process of their own: they mock modules, they count what their process holds, its timers
 * included, or they start a browser (playwright-core uses `AsyncLocalStorage`, which makes every later promise of the
 * process several times slower on Node 20). All others share processes: starting one for each costs more than many of
 * them take. A helper that they share registers no hooks, because it is loaded once: it uses `onTestFinished`.
 */
const alone = [
  "packages/ai-sdk/src/**/*.ai-7.test.ts",
  "packages/sessions/src/node/{faults,long-turns,store-file-race}.test.ts",
  "packages/stdio/src/node/{reaper,soak}.test.ts",
  "packages/react/src/browser.test.ts",
  "packages/inspector/src/node/{page,page-*,recording-page,export/inspector-html}.test.ts",
  "tests/interop/src/{browser*,inspect-proxy,inspector-reload}.test.ts",
  "packages/jsonrpc/src/{connection-deadlines,connection-ending,connection-cancel,shared-deadlines,timer}.test.ts",
  "packages/gateway/src/node/engine-faults.test.ts",
  "packages/http/src/client/post-queue.test.ts",
  "packages/client/src/permissions/permission-broker.test.ts",
  "tests/promises/src/{leaks,quiet,bounds,deadlines,vanishing-agent,any-fault.property}.test.ts",
  "examples/*/src/**/*.test.ts",
];

/**
 * The longest test files that share processes. They run before the other files that share processes. Without a cache,
 * vitest runs the largest files first, and some of these are small: the last one would run beside nothing.
 */
const longest = [
  "mutation/src/peace",
  "mutation/src/processes",
  "fire/src/replicas",
  "schema-update/src/update/adoption",
  "codegen/src/generate",
  "simulation/src/mistakes",
  "simulation/src/simulation",
  "simulation/src/simulation-even",
  "simulation/src/simulation-postgres",
  "simulation/src/simulation-redis",
  "acp-kit/src/node/commands/remote",
  "acp-kit/src/node/commands/run",
  "acp-kit/src/node/commands/served-sessions",
  "conformance/src/agent/legal-agents",
  "conformance/src/agent/wrong-agents",
  "conformance/src/client/wrong-clients",
  "http/src/node/many-clients",
  "sessions/src/node/crash",
  "registry/src/node/store/hostile-packages",
].map((path) => `/${path}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
    const rank = ({ moduleId, project }: (typeof files)[number]): number =>
      project.name !== "shared" ? 0 : longest.some((path) => moduleId.endsWith(path)) ? 1 : 2;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

// Packaging tests what is built and packed, with a set-up of its own: `npm test -- packaging`.
const exclude = [...configDefaults.exclude, "tests/packaging/**"];

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: all,
          exclude: [...exclude, ...alone],
          isolate: false,
          setupFiles: ["./vitest.setup.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: alone, exclude } },
      { extends: true, test: { name: "react-19", include: react, exclude, isolate: false, environment: "jsdom" } },
      {
        extends: true,
        resolve: { alias: react18 },
        test: {
          name: "react-18",
          include: react,
          exclude,
          isolate: false,
          environment: "jsdom",
          server: { deps: { inline: [/@tanstack/] } }, // it imports React, too
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    maxWorkers: availableParallelism() + 2, // some wait for processes that they have started
    testTimeout: 60_000,
    hookTimeout: 60_000, // some compile a package
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
