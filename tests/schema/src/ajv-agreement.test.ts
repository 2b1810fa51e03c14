import type { Validator } from "@acp-kit/schema/validate";
import { expect, it } from "vitest";
import { ajvOracle } from "./ajv-oracle.js";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";

let messages = 0;

it.each(subjects)("generates values of $id that ajv accepts", patient, (subject) => {
  const isValid = ajvOracle(subject);
  const arbitraries = new Arbitraries(subject.ir);
  for (const name of subject.ir.definitions.keys()) {
    fuzz(arbitraries.valueOf(name), (text) => (isValid(name, JSON.parse(text)) ? undefined : `${name}: invalid`));
  }
});

it.each(subjects)(
  "strict decoders of $id accept the same values as ajv, for every definition",
  patient,
  async (subject) => {
    const isValid = ajvOracle(subject);
    const strict = await compileChecks(subject.ir, modes.strict);
    const arbitraries = new Arbitraries(subject.ir);
    for (const [name, decode] of strict) {
      messages += fuzz(mutated(arbitraries.valueOf(name)), (text) => {
        const expected = isValid(name, JSON.parse(text));
        const result = decode.try(JSON.parse(text));
        return result.ok === expected ? undefined : `${name}: ajv ${expected}, ours ${JSON.stringify(result)}`;
      });
    }
  },
);

it.each(subjects)("validators of $id accept the same values as ajv, for all params and results", patient, (subject) => {
  const isValid = ajvOracle(subject);
  const arbitraries = new Arbitraries(subject.ir);
  for (const [exported, value] of Object.entries(subject.validators)) {
    if (!exported.startsWith("validate")) continue;
    const name = exported.slice("validate".length);
    const validate = value as Validator<unknown>;
    messages += fuzz(mutated(arbitraries.valueOf(name)), (text) => {
      const expected = isValid(name, JSON.parse(text));
      const issues = validate(JSON.parse(text));
      return (issues.length === 0) === expected
        ? undefined
        : `${name}: ajv ${expected}, ours ${JSON.stringify(issues)}`;
    });
  }
});

it("compared more than 25,000 values", () => {
  expect(messages).toBeGreaterThan(25_000);
});
