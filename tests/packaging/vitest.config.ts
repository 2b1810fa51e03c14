import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    globalSetup: ["src/homes.ts"],
    maxWorkers: 2,
    maxConcurrency: 2,
    // Installers, compilers and bundlers run in here.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
