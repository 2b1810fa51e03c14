import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, it } from "vitest";

const { npm: home, tarballs } = inject("homes");

describe.each(Object.entries(tarballs))("%s", (name, tarball) => {
  it("passes publint", async () => {
    const directory = join(home, "node_modules", name);
    const { messages, pkg } = await publint({ pkgDir: directory, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it.skipIf(Object.keys(packageBoundaries[name]?.entries ?? {}).length === 0)(
    "has correct types for every resolution of ESM",
    async () => {
      const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
        excludeEntrypoints: [/\.(?:json|css)$/],
      });
      if (analysis.types === false) throw new Error(`${name} has no types`);
      // The profile "esm-only" ignores resolution before Node 12, and require() of compilers without support.
      const ignored = ["node10", "node16-cjs"];
      const problems = analysis.problems.filter(
        (problem) => !("resolutionKind" in problem && ignored.includes(problem.resolutionKind)),
      );
      expect(problems).toEqual([]);
    },
  );
});
