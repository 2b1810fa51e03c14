import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryTree } from "../../test/fixtures/tree.js";
import { workspacePackages } from "./packages.js";

describe("the packages that re-export generated names", () => {
  it("are found through files, other packages, and exported imports", () => {
    using tree = temporaryTree({
      "packages/types/package.json": '{"name":"@acp-kit/types","exports":{".":"./dist/index.js"}}',
      "packages/types/src/index.ts": 'export type * from "./gen.js";\n',
      "packages/middle/package.json":
        '{"name":"@acp-kit/middle","exports":{".":{"default":"./dist/index.js"},"./v2":"./dist/v2.js"}}',
      "packages/middle/src/index.ts": 'export * from "./inner.js";\nexport { own } from "./own.js";\n',
      "packages/middle/src/inner.ts": 'import { A, B as C } from "@acp-kit/types";\nexport { A, C };\n',
      "packages/middle/src/v2.ts": 'export * from "@acp-kit/types/v2";\n',
      "packages/outer/package.json": '{"name":"@acp-kit/outer","exports":{".":"./dist/index.js"}}',
      "packages/outer/src/index.ts": 'export { A, own } from "@acp-kit/middle";\n',
      "packages/ring/package.json": '{"name":"@acp-kit/ring"}',
      "packages/ring/src/index.ts": 'export * from "@acp-kit/ring";\nexport type { A } from "@acp-kit/types";\n',
      "packages/stdio/package.json": '{"name":"@acp-kit/stdio"}',
      "packages/stdio/src/index.ts": 'import type { A } from "@acp-kit/types";\nexport const a: A = 1;\n',
    });
    const found = Object.fromEntries(workspacePackages(tree.root).map(({ name, reexports }) => [name, reexports]));
    expect(found["@acp-kit/middle"]).toEqual(
      new Map([
        ["v1", new Set(["A", "B"])],
        ["v2", new Set(["*"])],
      ]),
    );
    expect(found["@acp-kit/outer"]?.get("v1")).toEqual(new Set(["A"]));
    expect(found["@acp-kit/ring"]).toEqual(new Map([["v1", new Set(["A"])]]));
    expect(found["@acp-kit/stdio"]).toEqual(new Map());
  });

  it("are exactly the packages of this workspace whose index re-exports them", () => {
    const packages = workspacePackages(fileURLToPath(new URL("../../../../", import.meta.url)));
    const passing = (name: string): string[] =>
      packages
        .filter(({ reexports }) => [...(reexports.get("v1") ?? [])].some((one) => one === "*" || one === name))
        .map((one) => one.name);
    expect(passing("ToolKind")).toEqual(expect.arrayContaining(["@acp-kit/agent", "@acp-kit/schema"]));
    expect(passing("ToolKind")).not.toContain("@acp-kit/stdio");
  });
});
