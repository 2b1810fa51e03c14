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

/** Everything a comparison says, one line each. */
function told(one: Case): string[] {
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
      expect(told(one)).toEqual(one.expected);
    });
  });
}

describe("every case", () => {
  const all = Object.values(groups).flat();

  it.each(all)("says nothing about a schema and itself: $name", ({ before, after }) => {
    expect(diffSchemas(before, before).changes).toEqual([]);
    expect(diffSchemas(after, after).changes).toEqual([]);
  });

  it.each(spelling)("is neutral in both directions: $name", ({ before, after }) => {
    expect(diffSchemas(after, before).wire).toBe("none");
  });
});
