import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adoptedTree, generateInto } from "../../test/fixtures/adopted.js";
import { release } from "../../test/fixtures/releases.js";
import { type TemporaryTree, temporaryTree } from "../../test/fixtures/tree.js";
import { nextManifest, readManifest, slotOf } from "../manifest.js";
import { openSource } from "../source/open-source.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { DecisionsError } from "./decisions.js";
import { StepError, type UpdateSteps } from "./steps.js";
import { updateSchema } from "./update.js";

/** The part of the generated types that the code below uses. */
const types =
  'export type ToolKind = "read" | "edit";\n' +
  "export interface ListSessionsRequest {\n  cursor?: string | null;\n  cwd?: string | null;\n}\n" +
  "export interface Page {\n  cursor: number;\n}\n";

function repository(version: string): TemporaryTree {
  return adoptedTree(version, {
    ".changeset/config.json": "{}\n",
    "packages/types/package.json":
      '{"name":"@acp-kit/types","version":"0.3.0","exports":{".":{"default":"./dist/index.js"}}}\n',
    "packages/types/src/index.ts": 'export type * from "./gen/v1/types.gen.js";\n',
    "packages/types/src/gen/v1/types.gen.ts": types,
    "packages/schema/src/gen/v1/gone.gen.ts": "// goes\n",
    "packages/agent/package.json": '{"name":"@acp-kit/agent","version":"1.0.0"}\n',
    "packages/agent/src/index.ts":
      'import type { X } from "@acp-kit/types";\nimport { y } from "@acp-kit/types/v2/decode";\n',
    "packages/stdio/package.json": '{"name":"@acp-kit/stdio","version":"1.0.0"}\n',
    "packages/stdio/src/index.ts": "export {};\n",
  });
}

/** Steps that change, add and remove files, as the generator does. */
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

  it("names in the changeset the packages whose interfaces change, and describes the changes for their users", async () => {
    using tree = repository("2.2.0");
    const { changeset, bumps } = await updateSchema(release("2.3.0"), { root: tree.root, steps });
    // v2 has two new methods, and the agent package imports v2; nothing that stdio imports changed.
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
      "`@acp-kit/types/v2` (v2):\n\n- New methods: `terminal/cancel`, `tool_call/cancel`.",
    );
    expect(changeset?.text).toContain("`@acp-kit/types` (v1):\n\n- Changed descriptions: 7 (`AuthMethodAgent`");
  });

  it("writes nothing the second time", async () => {
    using tree = repository("2.2.0");
    await updateSchema(release("2.3.0"), { root: tree.root, steps });
    const before = tree.files();
    expect(await updateSchema(release("2.3.0"), { root: tree.root, steps })).toMatchObject({
      status: "current",
      written: [],
    });
    expect(tree.files()).toEqual(before);
  });

  it("writes nothing for a newer version with the same bytes", async () => {
    using tree = repository("2.0.0");
    const before = tree.files();
    expect((await updateSchema(release("2.0.2"), { root: tree.root, steps })).status).toBe("current");
    expect(tree.files()).toEqual(before);
  });

  it("writes nothing on a dry run", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true });
    expect(result.status).toBe("planned");
    expect(result.written).toContain("schema/manifest.json");
    expect(tree.files()).toEqual(before);
  });

  it("adopts a single file and leaves the others unchanged", async () => {
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
    expect(result.diff.schemas.map((one) => `v${one.protocolVersion} ${one.stability}: ${one.effect}`)).toEqual([
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

  it("adopts a release of the specification, and records it for each file", async () => {
    using tree = repository("2.2.0");
    const name = "agentclientprotocol/agent-client-protocol";
    const whole = release("2.3.0");
    const paths = whole.files.map(({ path }) => path);
    const files = whole.files.map((file) => ({
      ...readSchemaFile(file.path, file.bytes, paths),
      release: `${name} schema-v${file.protocolVersion}.9.0`,
    }));
    const version = "schema-v1.9.0+schema-v2.9.0";
    const about = { label: `${name} ${version}`, origin: `github:${name}@${version}`, package: name, version };
    const result = await updateSchema({ ...whole, ...about, files }, { root: tree.root, steps });
    expect(result.changeset?.path).toBe(
      ".changeset/adopt-schema-agentclientprotocol-agent-client-protocol-schema-v1-9-0-schema-v2-9-0.md",
    );
    expect(readManifest(tree.root)).toMatchObject({ source: about.origin, package: name, version });
    const next = { ...about, version: "schema-v2.10.0", label: `${name} schema-v2.10.0`, license: undefined };
    const later = release("2.2.0").files.flatMap((file) =>
      file.protocolVersion === 2 ? [{ ...file, release: `${name} schema-v2.10.0` }] : [],
    );
    // A release of one protocol version replaces only its own files.
    await updateSchema({ ...next, files: later }, { root: tree.root, steps, decided: true });
    expect(readManifest(tree.root)?.files.map(({ path, source }) => `${path} ${source}`)).toEqual([
      `v1/schema.json ${name} schema-v1.9.0`,
      `v1/schema.unstable.json ${name} schema-v1.9.0`,
      `v2/schema.json ${name} schema-v2.10.0`,
      `v2/schema.unstable.json ${name} schema-v2.10.0`,
    ]);
  });

  it("writes the report to another path on request", async () => {
    using tree = repository("2.2.0");
    await updateSchema(release("2.3.0"), { root: tree.root, steps, report: "docs/schema-report.md" });
    expect(Object.keys(tree.files())).toContain("docs/schema-report.md");
    expect(Object.keys(tree.files())).not.toContain("schema/REPORT.md");
  });
});

describe("a failure leaves the tree unchanged, byte for byte", () => {
  const listeners = process.listenerCount("SIGTERM");
  const stop = (step: "generate" | "typecheck") => async (): Promise<never> => {
    throw new StepError(step, "the reason");
  };

  it("if the generator fails after it has written some files", async () => {
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

  it("if the workspace no longer type-checks", async () => {
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

  it("if the update is interrupted", async () => {
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

  it("if a file can't be written", async () => {
    using tree = repository("2.2.0");
    tree.write("schema/REPORT.md/in-the-way", "a directory stands where the report should go\n");
    const before = tree.files();
    await expect(updateSchema(release("2.3.0"), { root: tree.root, steps })).rejects.toThrow(/EISDIR/);
    expect(tree.files()).toEqual(before);
  });

  it("if the source lacks a file: no step runs", async () => {
    using tree = repository("2.2.0");
    const before = tree.files();
    await expect(updateSchema(release("1.9.0"), { root: tree.root, steps })).rejects.toThrow(
      "1.9.0 has no v1/schema.json, no v2/schema.json; the generator needs all four files. Packages contain them since version 2.0.0; a single file can be adopted on its own.",
    );
    expect(tree.files()).toEqual(before);
  });

  it("except with --keep", async () => {
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

  it("is reported as not current, without writing", async () => {
    using tree = await kept();
    expect(readManifest(tree.root)?.unfinished).toBe("typecheck");
    const before = tree.files();
    expect(await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true })).toMatchObject({
      status: "planned",
      pending: "pnpm typecheck failed when the schema was kept (--keep), and has not succeeded since",
    });
    expect(tree.files()).toEqual(before);
  });

  it("is completed by the second run, which keeps the report and the changeset of the first", async () => {
    using tree = await kept();
    const report = tree.files()["schema/REPORT.md"];
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined, written: ["schema/manifest.json"] });
    expect(readManifest(tree.root)).toEqual(nextManifest(release("2.3.0"), undefined));
    expect(tree.files()["schema/REPORT.md"]).toBe(report);
    expect((await updateSchema(release("2.3.0"), { root: tree.root, steps })).status).toBe("current");
  });

  it("remains as it was kept if the second run fails, too", async () => {
    using tree = await kept();
    const before = tree.files();
    await expect(updateSchema(release("2.3.0"), { root: tree.root, steps: failing })).rejects.toThrow("the reason");
    expect(tree.files()).toEqual(before);
  });

  it("does not count as unfinished if only code that the build generates is missing", async () => {
    using tree = repository("2.3.0");
    rmSync(join(tree.root, "packages/types/src/gen/v2"), { recursive: true });
    expect((await updateSchema(release("2.3.0"), { root: tree.root, steps })).status).toBe("current");
  });

  it("is also recognised if its bytes were written without generating code", async () => {
    using tree = repository("2.3.0");
    tree.write("packages/types/src/gen/v1/schema/types.gen.ts", "// Generated\n// From elsewhere\n// sha256 0\n");
    const result = await updateSchema(release("2.3.0"), { root: tree.root, steps, dryRun: true });
    expect(result.pending).toBe("nothing has been generated from v1/schema.json");
    await updateSchema(release("2.3.0"), { root: tree.root, steps });
    expect((await updateSchema(release("2.3.0"), { root: tree.root, steps })).status).toBe("current");
  });
});

describe("the committed files", () => {
  it("contain no local directory for a single file", async () => {
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

describe("a schema that needs decisions", () => {
  type Definitions = Record<string, Record<string, unknown>>;

  /** Creates the next release: 2.4.0 with an edit of the definitions of some of its files. */
  function nextRelease(slots: readonly string[], edit: (definitions: Definitions) => void): Source {
    const whole = release("2.4.0");
    const paths = whole.files.map(({ path }) => path);
    const files = whole.files.map((file) => {
      if (!slots.includes(slotOf(file) ?? "")) return file;
      const document = JSON.parse(new TextDecoder().decode(file.bytes)) as { $defs: Definitions };
      edit(document.$defs);
      return readSchemaFile(file.path, new TextEncoder().encode(JSON.stringify(document)), paths);
    });
    return { ...whole, version: "2.5.0", origin: "npm:@agentclientprotocol/sdk@2.5.0", files };
  }

  /** An edit that only changes the wire: generation and type check would succeed. */
  const requireCursor = (definitions: Definitions): void => {
    Object.assign(definitions.ListSessionsRequest ?? {}, { required: ["cursor"] });
  };
  const wireBreak = nextRelease(["v1/schema.json", "v1/schema.unstable.json"], requireCursor);

  const removeDelete = (definitions: Definitions): void => {
    for (const [name, schema] of Object.entries(definitions)) {
      if (!name.startsWith("Agent") && !name.startsWith("Client")) continue;
      definitions[name] = JSON.parse(
        JSON.stringify(schema, (_, value: unknown) =>
          Array.isArray(value)
            ? value.filter((one) => !JSON.stringify(one).match(/DeleteSession/)?.length || deep(one))
            : value,
        ),
      ) as Record<string, unknown>;
    }
    delete definitions.DeleteSessionRequest;
    delete definitions.DeleteSessionResponse;
  };
  /** A branch that contains more than the removed reference. */
  const deep = (one: unknown): boolean => (JSON.stringify(one).match(/"\$ref"/g) ?? []).length > 1;

  const withCode = (): TemporaryTree => {
    const tree = repository("2.4.0");
    tree.write(
      "packages/agent/src/list.ts",
      'import type { ListSessionsRequest } from "@acp-kit/types";\n\nexport const page = ({ cursor }: ListSessionsRequest) => cursor;\n',
    );
    tree.write("packages/agent/src/v2/list.ts", "export type ListSessionsRequest = { cursor: string };\n");
    tree.write("packages/agent/src/delete.ts", 'export const method = "session/delete";\n');
    return tree;
  };

  const never: UpdateSteps = {
    generate: async () => Promise.reject(new Error("nothing is generated")),
    typecheck: async () => Promise.reject(new Error("nothing is checked")),
  };

  it("because it breaks stable v1, stops before anything is written, with the decisions and their places", async () => {
    using tree = withCode();
    const before = tree.files();
    const failure = await updateSchema(wireBreak, { root: tree.root, steps: never }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DecisionsError);
    expect(failure).toMatchObject({
      decisions: {
        code: [
          {
            what: "`ListSessionsRequest.cursor` is required now; clients have to send it",
            question:
              "What do the packages send as this member, and does the decoder still accept messages of old peers, which omit it?",
            places: ["packages/agent/src/list.ts:3"],
          },
        ],
        generator: [],
      },
    });
    expect(tree.files()).toEqual(before);
  });

  it("names the entries of the gate table for a removed method, with their lines", async () => {
    using tree = withCode();
    const before = tree.files();
    const source = nextRelease(["v1/schema.json", "v1/schema.unstable.json"], removeDelete);
    const failure = await updateSchema(source, { root: tree.root, steps: never }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      decisions: {
        code: expect.arrayContaining([
          expect.objectContaining({
            what: "`session/delete` was removed; clients must not call it",
            places: ["packages/agent/src/delete.ts:1"],
          }),
        ]),
        generator: ["v1", "v1-unstable"].map((id) => ({
          file: "tools/codegen/src/gates.ts",
          line: expect.any(Number),
          what: `${id}: there is no method "session/delete" handled by side "agent"`,
          entry: [id, "methods", "agent", "session/delete"],
        })),
      },
    });
    const { message } = failure as DecisionsError;
    expect(message).toMatch(/- tools\/codegen\/src\/gates\.ts:\d+: v1: there is no method "session\/delete"/);
    const [, line = ""] = /gates\.ts:(\d+): v1:/.exec(message) ?? [];
    const table = readFileSync(new URL("../../../codegen/src/gates.ts", import.meta.url), "utf8").split("\n");
    expect(table[Number(line) - 1]).toContain('"session/delete"');
    expect(tree.files()).toEqual(before);
  });

  it("names one line for each file, code of the packages before tests", async () => {
    using tree = withCode();
    tree.write(
      "packages/client/src/page.ts",
      'import type { ListSessionsRequest, Page } from "@acp-kit/types";\n' +
        "// Another type's member of the same name is not a place.\n" +
        "export const move = (page: Page, { cwd }: ListSessionsRequest) => [page.cursor, cwd];\n",
    );
    const use = 'import type { ListSessionsRequest } from "@acp-kit/types";\n';
    tree.write("packages/agent/src/list.test.ts", `${use}const request: ListSessionsRequest = { cursor: "a" };\n`);
    tree.write(
      "packages/client/src/list.ts",
      `${use}const next = (last: ListSessionsRequest) => last.cursor;\nexport const all = (f: (r: ListSessionsRequest) => void) => f;\nall(({ cursor }) => cursor);\n`,
    );
    const failure = updateSchema(wireBreak, { root: tree.root, steps: never });
    await expect(failure).rejects.toMatchObject({
      decisions: {
        code: [
          {
            places: [
              "packages/agent/src/list.ts:3",
              "packages/client/src/list.ts:2,4",
              "packages/agent/src/list.test.ts:2",
            ],
          },
        ],
      },
    });
  });

  it("on a dry run, is not adopted: the report lists the decisions", async () => {
    using tree = withCode();
    const result = await updateSchema(wireBreak, { root: tree.root, steps: never, dryRun: true });
    expect(result.status).toBe("planned");
    expect(result.report).toContain("## Decisions\n\nAnswer each question and change the code");
    expect(result.report).toContain("1. `ListSessionsRequest.cursor` is required now; clients have to send it.\n");
  });

  it("is adopted with --decided", async () => {
    using tree = withCode();
    const result = await updateSchema(wireBreak, { root: tree.root, steps, decided: true });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined });
    expect(result.changeset?.text).toContain('"@acp-kit/schema": minor');
    expect(readManifest(tree.root)).toEqual(nextManifest(wireBreak, undefined));
    expect((await updateSchema(wireBreak, { root: tree.root, steps })).status).toBe("current");
  });

  it("is kept unfinished on request, with the decisions in the report", async () => {
    using tree = withCode();
    const result = await updateSchema(wireBreak, { root: tree.root, steps, keep: true });
    expect(result.unfinished).toBe("the decisions about the schema have not been made (--decided).");
    expect(readManifest(tree.root)).toEqual({ ...nextManifest(wireBreak, undefined), undecided: true });
    expect(readFileSync(join(tree.root, "schema/REPORT.md"), "utf8")).toContain("## Decisions");
  });

  it("is completed only with --decided, if it was kept", async () => {
    using tree = withCode();
    await updateSchema(wireBreak, { root: tree.root, steps, keep: true });
    const kept = tree.files();
    expect(await updateSchema(wireBreak, { root: tree.root, steps, dryRun: true })).toMatchObject({
      status: "planned",
      pending: "the decisions about the schema have not been made (--decided)",
    });
    await expect(updateSchema(wireBreak, { root: tree.root, steps: never })).rejects.toThrow(DecisionsError);
    expect(tree.files()).toEqual(kept);
    await updateSchema(wireBreak, { root: tree.root, steps, decided: true });
    expect(readManifest(tree.root)).toEqual(nextManifest(wireBreak, undefined));
  });

  it("is not accepted by adopting the next release, if it was kept", async () => {
    using tree = withCode();
    await updateSchema(wireBreak, { root: tree.root, steps, keep: true });
    const following = {
      ...nextRelease(["v1/schema.json", "v1/schema.unstable.json"], (definitions) => {
        requireCursor(definitions);
        Object.assign(definitions.ListSessionsRequest ?? {}, { description: "Other words." });
      }),
      version: "2.6.0",
    };
    await expect(updateSchema(following, { root: tree.root, steps: never })).rejects.toThrow(
      "The schema in the tree was kept before its decisions were made",
    );
  });

  it("reports both the break and the failed step, if a step fails while it is kept", async () => {
    using tree = withCode();
    const failing = { ...steps, typecheck: async () => Promise.reject(new StepError("typecheck", "TS2305")) };
    const { unfinished } = await updateSchema(wireBreak, { root: tree.root, steps: failing, keep: true });
    expect(unfinished).toContain("(--decided).\npnpm typecheck failed:\nTS2305");
    expect(readManifest(tree.root)).toMatchObject({ undecided: true, unfinished: "typecheck" });
  });

  it("also stops for a renamed export, although no message changes", async () => {
    using tree = withCode();
    const source = nextRelease(["v1/schema.json"], (definitions) => {
      const text = JSON.stringify(definitions).replaceAll(/(?<=[/"])ToolKind"/g, 'KindOfTool"');
      for (const name of Object.keys(definitions)) delete definitions[name];
      Object.assign(definitions, JSON.parse(text));
    });
    await expect(updateSchema(source, { root: tree.root, steps: never })).rejects.toThrow(
      "the export `ToolKind` was renamed to `KindOfTool`",
    );
  });

  it.each(["v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"])(
    "does not include a schema that only breaks %s: it is adopted, and the report lists the break",
    async (slot) => {
      using tree = withCode();
      const result = await updateSchema(nextRelease([slot], requireCursor), { root: tree.root, steps });
      expect(result).toMatchObject({ status: "updated", unfinished: undefined, diff: { effect: "breaking" } });
      expect(result.report).toContain("`ListSessionsRequest.cursor` is required now");
      expect(result.report).not.toContain("## Decisions");
    },
  );
});
