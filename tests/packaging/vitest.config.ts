import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

/**
 * The longest test files. They run first, beside all others, because they mostly wait: for processes and for a
 * registry.
 */
const longest = ["starters.test.ts", "first-release.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
    const isLong = ({ moduleId }: (typeof files)[number]) => longest.some((name) => moduleId.endsWith(`/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    globalSetup: ["src/homes.ts"],
    sequence: { sequencer: LongestFirst },
    maxWorkers: availableParallelism() + 1, // one in a few waits for processes that it has started
    maxConcurrency: 2,
    // These tests run installers, compilers and bundlers. The longest publishes every package.
    testTimeout: 400_000,
    hookTimeout: 400_000,
  },
});
