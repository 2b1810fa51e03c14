import fc from "fast-check";
import { expect, test } from "vitest";
import { type EntryRun, recentRowText, runsOfRecentRow } from "./recent-row.js";

const runs = fc.array(
  fc.record({
    place: fc.nat(),
    first: fc.nat(),
    epoch: fc.nat(),
    at: fc.maxSafeInteger(),
    texts: fc.array(fc.string({ unit: "binary", maxLength: 50 }), { minLength: 1, maxLength: 120 }),
  }),
  { minLength: 1, maxLength: 20 },
);

test("a row contains its runs unchanged, whatever characters the texts contain", () => {
  fc.assert(fc.property(runs, (all) => void expect(runsOfRecentRow(recentRowText(all))).toEqual(all)));
});

const run: EntryRun = { place: 1, first: 2, epoch: 3, at: 4, texts: ["one", "two"] };

test.each([
  ["without its texts", recentRowText([run]).slice(0, -1)],
  ["with more texts", `${recentRowText([run])}more`],
  ["without a head", "onetwo"],
  ["with a head that is not a list", '{"place":1}\nonetwo'],
  ["with a run that is not a list", "[1]\nonetwo"],
  ["with a run without texts", "[[1,2,3,4]]\n"],
  ["with a run whose numbers are texts", '[[1,2,3,4,"6"]]\nonetwo'],
])("a row %s is refused", (_, text) => {
  expect(() => runsOfRecentRow(text)).toThrow(/.*/);
});
