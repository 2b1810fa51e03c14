import { expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { firstLost } from "./kept.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";
import { differences } from "./sdk-differences.js";

let messages = 0;

it.each(subjects)(
  "decoders of $id return the same results as the zod schemas of the official SDK, for every definition",
  patient,
  async (subject) => {
    const zod = await subject.zod();
    const decoders = await compileChecks(subject.ir, modes.closed);
    const arbitraries = new Arbitraries(subject.ir);
    for (const [name, decode] of decoders) {
      const official = zod[`z${name}`];
      if (official === undefined) throw new Error(`the official SDK has no z${name}`);
      messages += fuzz(mutated(arbitraries.valueOf(name)), (text) => {
        const theirs = official.safeParse(JSON.parse(text));
        const ours = decode.try(JSON.parse(text));
        const lost = theirs.success && ours.ok ? firstLost(theirs.data, ours.value) : undefined;
        if (theirs.success === ours.ok && lost === undefined) return undefined;
        if (differences.some((difference) => difference.explains(theirs, ours, lost))) return undefined;
        return `${name}, differs at [${lost ?? ""}]\nzod  ${JSON.stringify(theirs)}\nours ${JSON.stringify(ours)}`;
      });
    }
  },
);

it("compared more than 25,000 values", () => {
  expect(messages).toBeGreaterThan(25_000);
});

it.each(differences)("the listed difference to the SDK still exists: $name", async ({ explains, example }) => {
  const subject = subjects.find(({ id }) => id === example.schema);
  if (subject === undefined) throw new Error(`no schema ${example.schema}`);
  const official = (await subject.zod())[`z${example.definition}`];
  const decode = (await compileChecks(subject.ir, modes.closed)).get(example.definition);
  if (official === undefined || decode === undefined) throw new Error(`no ${example.definition}`);
  const theirs = official.safeParse(JSON.parse(example.text));
  expect(explains(theirs, decode.try(JSON.parse(example.text)), undefined)).toBe(true);
});
