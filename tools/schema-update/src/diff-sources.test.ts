import { describe, expect, it } from "vitest";
import { document } from "../test/cases/case.js";
import { diffSources } from "./diff-sources.js";
import { toMarkdown } from "./report/markdown.js";
import { type JsonObject, readSchemaFile, type Source } from "./source/schema-file.js";

const methodOf = (name: string): JsonObject => ({ type: "object", "x-method": name, "x-side": "client" });
const read = { ReadRequest: methodOf("fs/read_text_file"), ReadResponse: methodOf("fs/read_text_file") };
const write = { WriteRequest: methodOf("fs/write"), WriteResponse: methodOf("fs/write") };
const plain = document(read);
const draft = document({ ...read, Draft: { description: "**UNSTABLE**", type: "string" } });
const bigger = document({ ...read, ...write });

function source(label: string, files: Readonly<Record<string, unknown>>): Source {
  const paths = Object.keys(files);
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  return {
    label,
    origin: label,
    package: undefined,
    version: undefined,
    license: undefined,
    files: Object.entries(files).map(([path, document]) => readSchemaFile(path, encode(document), paths)),
  };
}

describe("the files that are compared with each other", () => {
  it("are paired by version and stability, stable first; files without a counterpart are listed", () => {
    const before = source("a", { "schema/schema.json": draft, "schema/v2/schema.unstable.json": plain });
    const after = source("b", {
      "schema/v1/schema.json": plain,
      "schema/v1/schema.unstable.json": draft,
      "schema/v2/schema.unstable.json": bigger,
    });
    const diff = diffSources(before, after);
    expect(diff.schemas.map(({ paths }) => `${paths.before} ${paths.after}`)).toEqual([
      "schema/schema.json schema/v1/schema.unstable.json",
      "schema/v2/schema.unstable.json schema/v2/schema.unstable.json",
    ]);
    expect(toMarkdown(diff)).toContain("- v1 exists only in b (`schema/v1/schema.json`), so it is not compared.");
  });

  it("may be two single files of any kind; the report says that their kinds differ", () => {
    const diff = diffSources(source("a", { "old.json": draft }), source("b", { "v1/schema.json": bigger }));
    expect(diff.schemas).toMatchObject([{ across: true, effect: "api" }]);
    expect(toMarkdown(diff)).toContain(
      "- `old.json` is compared with `v1/schema.json`, because no file has the same protocol version and stability.",
    );
  });

  it("for a single file, are the most similar of several", () => {
    const several = source("b", { "schema/v1/schema.json": bigger, "schema/v2/schema.json": bigger });
    expect(diffSources(source("a", { "old.json": draft }), several).schemas).toMatchObject([
      { across: true, paths: { after: "schema/v1/schema.json" } },
    ]);
    expect(diffSources(several, source("a", { "old.json": draft })).schemas).toMatchObject([
      { across: true, paths: { before: "schema/v1/schema.json" } },
    ]);
  });

  it("may be none, which the report says", () => {
    const diff = diffSources(
      source("a", { "v1/schema.json": plain, "v1/schema.unstable.json": draft }),
      source("b", { "v2/schema.json": plain, "v2/schema.unstable.json": plain }),
    );
    expect(diff.schemas).toEqual([]);
    expect(toMarkdown(diff)).toContain("**Nothing to compare**");
  });

  it("list what was unstable before and is stable now", () => {
    const before = source("a", { "v1/schema.json": plain, "v1/schema.unstable.json": bigger });
    const after = source("b", { "v1/schema.json": bigger, "v1/schema.unstable.json": bigger });
    const diff = diffSources(before, after);
    expect(diff.schemas.map((one) => one.effect)).toEqual(["additive", "none"]);
    expect(toMarkdown(diff)).toContain(
      "- Stable now, previously unstable: `fs/write`, `WriteRequest`, `WriteResponse`",
    );
  });

  it("report a change that the stable and the unstable schema share only once", () => {
    const drafts = document({ ...read, ...write, NewNotification: methodOf("new") });
    const before = source("a", { "v1/schema.json": plain, "v1/schema.unstable.json": plain });
    const after = source("b", { "v1/schema.json": bigger, "v1/schema.unstable.json": drafts });
    const report = toMarkdown(diffSources(before, after));
    expect(report.split("New method: `fs/write`")).toHaveLength(2);
    expect(report).toMatch(/- \d+ changes of v1 apply here, too\./);
  });

  it("that only are spelled differently have a difference, because the generated files name their checksums", () => {
    const reordered = { $defs: bigger.$defs, ...bigger };
    const diff = diffSources(source("a", { "v1/schema.json": bigger }), source("b", { "v1/schema.json": reordered }));
    expect(diff.schemas[0]?.differences).toMatchObject([{ effect: "documentation", code: "spelling" }]);
  });

  it("that the generator can't read are reported with every problem", () => {
    const odd = document({ ...read, Odd: { type: "string", frobnicate: true }, Strange: { type: "text" } });
    const diff = diffSources(source("a", { "v1/schema.json": plain }), source("b", { "v1/schema.json": odd }));
    const report = toMarkdown(diff);
    expect(report).toContain("**Breaking** in v1.");
    expect(report).toContain('- Odd: unknown keyword "frobnicate" (at #/$defs/Odd)');
    expect(report).toContain("- Strange: unknown keyword combination");
  });
});
