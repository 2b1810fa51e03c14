import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adoptedTree, generateInto } from "../fixtures/adopted.js";
import { release } from "../fixtures/releases.js";
import { type TemporaryTree, temporaryTree } from "../fixtures/tree.js";
import { nextManifest, readManifest, slotOf } from "../manifest.js";
import { openSource } from "../source/open-source.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { StepError, type UpdateSteps } from "./steps.js";
import { updateSchema } from "./update.js";

function repository(version: string): TemporaryTree {
  return adoptedTree(version, {
    ".changeset/config.json": "{}\n",
    "packages/types/package.json": '{"name":"@acp-kit/types","version":"0.3.0"}\n',
    "packages/schema/src/gen/v1/gone.gen.ts": "// goes\n",
    "packages/agent/package.json": '{"name":"@acp-kit/agent","version":"1.0.0"}\n',
    "packages/agent/src/index.ts":
      'import type { X } from "@acp-kit/types";\nimport { y } from "@acp-kit/types/v2/decode";\n',
    "packages/stdio/package.json": '{"name":"@acp-kit/stdio","version":"1.0.0"}\n',
    "packages/stdio/src/index.ts": "export {};\n",
  });
}

/** Steps that leave traces, as the generator does: files changed, one new, one gone. */
const steps: UpdateSteps = {
  generate: async (root) => {
    const directory = join(root, "packages/types/src/gen/v1");
    mkdirSync(join(directory, "new"), { recursive: true });
    writeFileSync(join(directory, "new/types.gen.ts"), "// new\n");
    generateInto(root);
    rmSync(join(root, "packages/schema/src/gen/v1/gone.gen.ts"), { force: true });
  },
  typecheck: async () => undefined,
};

describe("adopting a schema", () => {
  it("writes the bytes, the manifest, the generated code, a report and a changeset", async () => {
    using tree = repository("2.2.0");
    const source = release("2.3.0");
    const result = await updateSchema(source, { root: tree.root, steps });

    expect(result).toMatchObject({
      status: "updated",
      before: "@agentclientprotocol/sdk 2.2.0",
      after: "@agentclientprotocol/sdk 2.3.0",
    });
    for (const file of source.files) {
      expect(Buffer.from(file.bytes).equals(readFileSync(join(tree.root, "schema", slotOf(file) ?? "")))).toBe(true);
    }
    expect(readManifest(tree.root)).toEqual(nextManifest(source, undefined));
    expect(Object.keys(tree.files())).toEqual(
      expect.arrayContaining([
        "schema/REPORT.md",
        ".changeset/adopt-schema-agentclientprotocol-sdk-2-3-0.md",
        "packages/types/src/gen/v1/new/types.gen.ts",
      ]),
    );
    expect(result.written).toContain("packages/schema/src/gen/v1/gone.gen.ts");
    expect(readFileSync(join(tree.root, "schema/REPORT.md"), "utf8")).toBe(result.report);
  });

  it("names in the changeset the packages whose interfaces are touched, in the words of their users", async () => {
    using tree = repository("2.2.0");
    const { changeset, bumps } = await updateSchema(release("2.3.0"), { root: tree.root, steps });
    // v2 got two methods, and the agent package imports v2; nothing that stdio imports changed.
    expect([...bumps]).toEqual([
      ["@acp-kit/agent", "minor"],
      ["@acp-kit/schema", "minor"],
      ["@acp-kit/types", "minor"],
    ]);
    expect(changeset?.text).toContain(
      '---\n"@acp-kit/agent": minor\n"@acp-kit/schema": minor\n"@acp-kit/types": minor\n---\n',
    );
    expect(changeset?.text).toContain(
      "Adopt the schema of @agentclientprotocol/sdk 2.3.0 (was @agentclientprotocol/sdk 2.2.0).",
    );
    expect(changeset?.text).toContain(
      "`@acp-kit/types/v2` (v2):\n\n- New methods: `tool_call/cancel`, `terminal/cancel`.",
    );
    expect(changeset?.text).toContain("`@acp-kit/types` (v1):\n\n- Only documentation and annotations change.");
  });

  it("has nothing to do the second time, and writes nothing", async () => {
    using tree = repository("2.2.0");
    await updateSchema(release("2.3.0"), { root: tree.root, steps });
    const before = tree.files();
    expect(await updateSchema(release("2.3.0"), { root: tree.root, steps })).toMatchObject({
      status: "current",
      written: [],
    });
    expect(tree.files()).toEqual(before);
  });

  it("has nothing to do for a newer version with the same bytes", async () => {
    using tree = repository("2.0.0");
    const before = tree.files();
    expect((await updateSchema(release("2.0.2"), { root: tree.root, steps })).status).toBe("current");
    expect(tree.files()).toEqual(before);
  });

  it("plans without writing on a dry run", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true });
    expect(result.status).toBe("planned");
    expect(result.written).toContain("schema/manifest.json");
    expect(tree.files()).toEqual(before);
  });

  it("takes a single file and leaves the others what they were", async () => {
    using tree = repository("2.2.0");
    const whole = release("2.3.0");
    const single: Source = {
      ...whole,
      label: "v2/schema.json",
      origin: "v2/schema.json",
      package: undefined,
      version: undefined,
      files: whole.files.filter((file) => slotOf(file) === "v2/schema.json"),
    };
    const result = await updateSchema(single, { root: tree.root, steps });
    expect(result.diff.schemas.map((one) => `v${one.protocolVersion} ${one.stability}: ${one.class}`)).toEqual([
      "v2 stable: additive",
    ]);
    const manifest = readManifest(tree.root);
    expect(manifest?.version).toBe("2.2.0");
    expect(manifest?.files.map(({ path, source }) => `${path} ${source ?? ""}`)).toEqual([
      "v1/schema.json ",
      "v1/schema.unstable.json ",
      "v2/schema.json v2/schema.json",
      "v2/schema.unstable.json ",
    ]);
  });

  it("keeps a report elsewhere when asked to", async () => {
    using tree = repository("2.2.0");
    await updateSchema(release("2.3.0"), { root: tree.root, steps, report: "docs/schema-report.md" });
    expect(Object.keys(tree.files())).toContain("docs/schema-report.md");
    expect(Object.keys(tree.files())).not.toContain("schema/REPORT.md");
  });
});

describe("a failure leaves the tree byte for byte as it was", () => {
  const listeners = process.listenerCount("SIGTERM");
  const stop = (step: "generate" | "typecheck") => async (): Promise<never> => {
    throw new StepError(step, "the reason");
  };

  it("when the generator stops half way", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    const generate: UpdateSteps["generate"] = async (root, signal) => {
      await steps.generate(root, signal);
      await stop("generate")();
    };
    await expect(updateSchema(release("2.3.0"), { root: tree.root, steps: { ...steps, generate } })).rejects.toThrow(
      /pnpm generate failed:\nthe reason/,
    );
    expect(tree.files()).toEqual(before);
  });

  it("when the workspace no longer type-checks", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    await expect(
      updateSchema(release("2.3.0"), {
        root: tree.root,
        steps: { ...steps, typecheck: stop("typecheck") },
        report: "report.md",
      }),
    ).rejects.toThrow(/pnpm typecheck failed/);
    expect(tree.files()).toEqual(before);
  });

  it("when it is interrupted", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    const generate: UpdateSteps["generate"] = async (root, signal) => {
      await steps.generate(root, signal);
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      process.emit("SIGINT");
      await aborted;
      await stop("generate")();
    };
    const options = { root: tree.root, steps: { ...steps, generate }, keep: true };
    await expect(updateSchema(release("2.3.0"), options)).rejects.toThrow(StepError);
    expect(tree.files()).toEqual(before);
    expect(process.listenerCount("SIGTERM")).toBe(listeners);
  });

  it("when a file can't be written", async () => {
    using tree = repository("2.2.0");
    tree.write("schema/REPORT.md/in-the-way", "a directory stands where the report should go\n");
    const before = tree.files();
    await expect(updateSchema(release("2.3.0"), { root: tree.root, steps })).rejects.toThrow(/EISDIR/);
    expect(tree.files()).toEqual(before);
  });

  it("when the source lacks a file: nothing is even tried", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    await expect(updateSchema(release("1.9.0"), { root: tree.root, steps })).rejects.toThrow(
      "1.9.0 has no v1/schema.json, no v2/schema.json; the generator needs all four files. Packages carry them since 2.0.0; single files can be adopted one by one.",
    );
    expect(tree.files()).toEqual(before);
  });

  it("unless the person wants to go on by hand from there", async () => {
    using tree = repository("2.2.0");
    const result = await updateSchema(release("2.3.0"), {
      root: tree.root,
      steps: { ...steps, typecheck: stop("typecheck") },
      keep: true,
    });
    expect(result).toMatchObject({ status: "updated", unfinished: "pnpm typecheck failed:\nthe reason" });
    expect(readManifest(tree.root)?.version).toBe("2.3.0");
  });
});

describe("a schema that was kept unfinished", () => {
  const failing: UpdateSteps = {
    ...steps,
    typecheck: async () => {
      throw new StepError("typecheck", "the reason");
    },
  };

  async function kept(): Promise<TemporaryTree> {
    const tree = repository("2.2.0");
    await updateSchema(release("2.3.0"), { root: tree.root, steps: failing, keep: true });
    return tree;
  }

  it("is not current, and says so without writing", async () => {
    using tree = await kept();
    expect(readManifest(tree.root)?.unfinished).toBe("typecheck");
    const before = tree.files();
    expect(await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true })).toMatchObject({
      status: "planned",
      pending: "pnpm typecheck failed when it was kept, and has not succeeded since",
    });
    expect(tree.files()).toEqual(before);
  });

  it("is finished by the second run, which leaves the report and the changeset of the first", async () => {
    using tree = await kept();
    const report = tree.files()["schema/REPORT.md"];
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined, written: ["schema/manifest.json"] });
    expect(readManifest(tree.root)).toEqual(nextManifest(release("2.3.0"), undefined));
    expect(tree.files()["schema/REPORT.md"]).toBe(report);
    expect((await updateSchema(release("2.3.0"), { root: tree.root, steps })).status).toBe("current");
  });

  it("stays as it was kept when the second run fails, too", async () => {
    using tree = await kept();
    const before = tree.files();
    await expect(updateSchema(release("2.3.0"), { root: tree.root, steps: failing })).rejects.toThrow("the reason");
    expect(tree.files()).toEqual(before);
  });

  it("is also one whose bytes were put there without generating", async () => {
    using tree = repository("2.3.0");
    tree.write("packages/types/src/gen/v2/schema/types.gen.ts", "// Generated\n// From elsewhere\n// sha256 0\n");
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true });
    expect(result.pending).toBe("nothing has been generated from v2/schema.json");
    await updateSchema(release("2.3.0"), { root: tree.root, steps });
    expect((await updateSchema(release("2.3.0"), { root: tree.root, steps })).status).toBe("current");
  });
});

describe("what is committed", () => {
  it("names no directory of whoever brought a single file", async () => {
    using tree = repository("2.2.0");
    using elsewhere = temporaryTree({});
    const [file] = release("2.3.0").files.filter((one) => slotOf(one) === "v1/schema.json");
    elsewhere.write("secret-project/my.json", file?.bytes ?? "");
    const path = join(elsewhere.root, "secret-project/my.json");
    const { written } = await updateSchema(await openSource(path, "/"), { root: tree.root, steps });
    expect(written).toContain("schema/manifest.json");
    for (const name of written.filter((one) => !one.startsWith("schema/v1/") && !one.includes("gone"))) {
      expect(name).not.toContain("secret-project");
      expect(readFileSync(join(tree.root, name), "utf8"), name).not.toContain("secret-project");
      expect(readFileSync(join(tree.root, name), "utf8"), name).not.toContain(elsewhere.root);
    }
    expect(readManifest(tree.root)?.files[0]).toMatchObject({ upstream: "my.json", source: "file:my.json" });
  });
});

describe("a breaking schema that code has to follow", () => {
  it("names the places that mention what is gone, with what it is called now", async () => {
    using tree = repository("2.4.0");
    tree.write(
      "packages/agent/src/turn.ts",
      'import type { ToolKind } from "@acp-kit/types";\n\nexport type X = ToolKind;\n',
    );
    tree.write("packages/types/src/gen/v1/kind.gen.ts", "export type ToolKind = string;\n");
    const whole = release("2.4.0");
    const renamed = whole.files.map((file) => {
      const text = new TextDecoder().decode(file.bytes).replaceAll('/ToolKind"', '/KindOfTool"');
      const bytes = new TextEncoder().encode(
        text.replaceAll('"ToolKind": {', '"KindOfTool": {').replaceAll('"ToolKind":{', '"KindOfTool":{'),
      );
      return readSchemaFile(
        file.path,
        bytes,
        whole.files.map(({ path }) => path),
      );
    });
    const failing: UpdateSteps = {
      ...steps,
      typecheck: async () => Promise.reject(new StepError("typecheck", "TS2305")),
    };
    const failure = updateSchema({ ...whole, version: "2.5.0", files: renamed }, { root: tree.root, steps: failing });
    await expect(failure).rejects.toMatchObject({
      places: [
        "- packages/agent/src/turn.ts:1: ToolKind is KindOfTool now",
        "- packages/agent/src/turn.ts:3: ToolKind is KindOfTool now",
      ],
    });
  });
});
