import type { DecodeResult, Decoder } from "@acp-kit/schema/decode";
import { expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";

let messages = 0;

/** Everything but the order of the repairs: data goes by the members' rules, code by the schema's order. */
function outcome(decode: Decoder<unknown>, text: string): unknown {
  const result: DecodeResult<unknown> = decode.try(JSON.parse(text));
  if (!result.ok) return { ok: false };
  const salvaged = result.salvaged.map((issue) => JSON.stringify(issue)).sort();
  return { ok: true, value: result.value, salvaged };
}

it.each(subjects)("reads every definition of $id alike, whether its check is code or data", patient, async ({ ir }) => {
  const code = await compileChecks(ir, { ...modes.product, code: "all" });
  const data = await compileChecks(ir, { ...modes.product, code: "none" });
  const arbitraries = new Arbitraries(ir);
  for (const [name, decode] of code) {
    const other = data.get(name) ?? decode;
    expect(other).not.toBe(decode);
    messages += fuzz(mutated(arbitraries.valueOf(name)), (text) => {
      const [one, two] = [outcome(decode, text), outcome(other, text)];
      try {
        expect(two).toEqual(one);
        return undefined;
      } catch {
        return `${name}: code ${JSON.stringify(one)}, data ${JSON.stringify(two)}`;
      }
    });
  }
});

it("has seen enough", () => {
  expect(messages).toBeGreaterThan(25_000);
});
