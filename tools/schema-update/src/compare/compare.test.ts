import { describe, expect, it } from "vitest";
import { bounds } from "../../test/cases/bounds.js";
import type { Case } from "../../test/cases/case.js";
import { members } from "../../test/cases/members.js";
import { methods } from "../../test/cases/methods.js";
import { spelling } from "../../test/cases/spelling.js";
import { unions } from "../../test/cases/unions.js";
import { words } from "../../test/cases/words.js";
import type { Difference } from "../difference.js";
import { modelOf } from "../model.js";
import { type JsonObject, readSchemaFile } from "../source/schema-file.js";
import { compareModels } from "./compare.js";

const groups: Readonly<Record<string, readonly Case[]>> = { members, spelling, unions, bounds, words, methods };

function differences(before: JsonObject, after: JsonObject): readonly Difference[] {
  const [a, b] = [before, after].map((document) =>
    modelOf(readSchemaFile("v1/schema.json", new TextEncoder().encode(JSON.stringify(document)), [])),
  );
  if (a === undefined || b === undefined) throw new Error("no model");
  return compareModels(a, b).filter(({ code }) => !code.startsWith("export-"));
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    it.each(cases)("$name", ({ before, after, expected }) => {
      const lines = differences(before, after).map(
        ({ effect, path, says, note }) => `${effect}: ${path} ${says}${note === undefined ? "" : ` — ${note}`}`,
      );
      expect(lines).toEqual(expected);
    });
  });
}

it.each(Object.entries(groups))("finds nothing between a schema and itself: %s", (_, cases) => {
  for (const { before, after } of cases)
    for (const one of [before, after]) expect(differences(one, structuredClone(one))).toEqual([]);
});

it.each(spelling)("finds no difference in the other direction, either: $name", ({ before, after }) => {
  expect(differences(after, before)).toEqual([]);
});
