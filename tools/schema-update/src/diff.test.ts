import { describe, expect, it } from "vitest";
import { bounds } from "./cases/bounds.js";
import type { Case } from "./cases/case.js";
import { members } from "./cases/members.js";
import { methods } from "./cases/methods.js";
import { spelling } from "./cases/spelling.js";
import { unions } from "./cases/unions.js";
import { words } from "./cases/words.js";
import { diffSchemas } from "./diff.js";

const groups: Readonly<Record<string, readonly Case[]>> = { members, spelling, unions, bounds, words, methods };

/** Formats every change of a comparison, one line each. */
function changeLines(one: Case): string[] {
  const diff = diffSchemas(one.before, one.after);
  return [
    ...diff.methods.map((method) => `${method.class}: ${method.name} ${method.says}`),
    ...diff.changes.map(
      ({ class: verdict, path, says, note }) => `${verdict}: ${path} ${says}${note === undefined ? "" : ` — ${note}`}`,
    ),
  ];
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    it.each(cases)("$name", (one) => {
      expect(changeLines(one)).toEqual(one.expected);
    });
  });
}

describe("the kind of a change", () => {
  const all = Object.values(groups).flat();
  const changes = all.flatMap(({ before, after }) => diffSchemas(before, after).changes);
  const codesOf = (wanted: string) => [
    ...new Set(changes.filter(({ kind }) => kind === wanted).map(({ code }) => code)),
  ];

  it("of a decoder is `stricter`, `tolerant`, or `different` if the decoder returns another value", () => {
    expect(codesOf("stricter")).toEqual(["leniency"]);
    expect(codesOf("tolerant")).toEqual(["leniency"]);
    expect(codesOf("different")).toEqual(["order"]);
    expect(changes.filter((one) => one.class === "decoder behaviour" && one.kind === undefined)).toEqual([]);
  });

  it("is `gated` for a new variant behind a capability, and `links` for a description in which only links changed", () => {
    expect(codesOf("gated")).toContain("variant-added");
    expect(codesOf("links")).toEqual(["documentation"]);
  });
});

describe("every case", () => {
  const all = Object.values(groups).flat();

  it.each(all)("finds no change between a schema and itself: $name", ({ before, after }) => {
    expect(diffSchemas(before, before).changes).toEqual([]);
    expect(diffSchemas(after, after).changes).toEqual([]);
  });

  it.each(spelling)("finds no change of the messages in either direction: $name", ({ before, after }) => {
    expect(diffSchemas(after, before).wire).toBe("none");
  });
});
