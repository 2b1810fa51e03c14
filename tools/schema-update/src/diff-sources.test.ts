import { describe, expect, it } from "vitest";
import { diffSources } from "./diff-sources.js";
import { toMarkdown } from "./report/markdown.js";
import { readSchemaFile, type Source } from "./source/schema-file.js";

const method = { "x-method": "fs/read_text_file", "x-side": "client" };
const plain = { $defs: { ReadRequest: { type: "object", ...method } } };
const draft = { $defs: { ReadRequest: { type: "object", ...method }, Draft: { description: "**UNSTABLE**" } } };
const bigger = {
  $defs: { ...plain.$defs, WriteRequest: { type: "object", "x-method": "fs/write", "x-side": "client" } },
};

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
    expect(diff.schemas).toMatchObject([{ across: true, wire: "additive" }]);
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
    expect(diff.schemas.map((one) => one.class)).toEqual(["additive", "none"]);
    expect(toMarkdown(diff)).toContain("- Stable now, previously unstable: `fs/write`, `WriteRequest`.");
  });

  it("report a change that the stable and the unstable schema share only once", () => {
    const drafts = { $defs: { ...bigger.$defs, NewRequest: { type: "object", "x-method": "new", "x-side": "agent" } } };
    const before = source("a", { "v1/schema.json": plain, "v1/schema.unstable.json": plain });
    const after = source("b", { "v1/schema.json": bigger, "v1/schema.unstable.json": drafts });
    const report = toMarkdown(diffSources(before, after));
    expect(report.split("`fs/write` is new")).toHaveLength(2);
    expect(report).toContain("One more change of this schema is the same as in v1 above.");
  });
});
