import { isDeepStrictEqual } from "node:util";
import type { DecodeResult, Decoder } from "@acp-kit/schema/decode";
import { expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";

let messages = 0;

/**
 * Returns the outcome without the order of repairs, which differs: data follows the rules of members, code the order of
 * the schema.
 */
function outcome(decode: Decoder<unknown>, text: string): unknown {
  const result: DecodeResult<unknown> = decode.try(JSON.parse(text));
  if (!result.ok) return { ok: false };
  const salvaged = result.salvaged.map((issue) => JSON.stringify(issue)).sort();
  return { ok: true, value: result.value, salvaged };
}

it.each(subjects)(
  "decoders of $id as code and as data return the same results, for every definition",
  patient,
  async ({ ir }) => {
    const code = await compileChecks(ir, { ...modes.product, code: "all" });
    const data = await compileChecks(ir, { ...modes.product, code: "none" });
    const arbitraries = new Arbitraries(ir);
    for (const [name, decode] of code) {
      const other = data.get(name) ?? decode;
      expect(other).not.toBe(decode);
      messages += fuzz(mutated(arbitraries.valueOf(name)), (text) => {
        const [byCode, byData] = [outcome(decode, text), outcome(other, text)];
        if (isDeepStrictEqual(byData, byCode)) return undefined;
        return `${name}: code ${JSON.stringify(byCode)}, data ${JSON.stringify(byData)}`;
      });
    }
  },
);

it("compared enough values", () => {
  expect(messages).toBeGreaterThan(25_000);
});
