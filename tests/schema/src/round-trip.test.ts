import { expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { compileChecks, modes } from "./compile-checks.js";
import { fuzz, patient } from "./fuzz.js";
import { firstLost } from "./kept.js";
import { mutated } from "./mutate.js";
import { subjects } from "./schemas.js";

it.each(subjects)("decoding an encoded value of $id returns the value with its defaults", patient, async ({ ir }) => {
  const decoders = await compileChecks(ir, modes.product);
  const arbitraries = new Arbitraries(ir);
  for (const [name, decode] of decoders) {
    fuzz(arbitraries.valueOf(name), (text) => {
      const decoded = decode.try(JSON.parse(text));
      if (!decoded.ok) return `${name} is refused: ${JSON.stringify(decoded.issues)}`;
      if (decoded.salvaged.length > 0) return `${name} is repaired: ${JSON.stringify(decoded.salvaged)}`;
      const lost = firstLost(JSON.parse(text), decoded.value);
      if (lost !== undefined) return `${name} is changed at [${lost}]`;
      const again = decode.try(JSON.parse(JSON.stringify(decoded.value)));
      const same = again.ok && JSON.stringify(again.value) === JSON.stringify(decoded.value);
      return same ? undefined : `${name} is changed by decoding it again`;
    });
  }
});

it.each(subjects)("a refused value of $id stays unchanged, without partial repairs", patient, async ({ ir }) => {
  const decoders = await compileChecks(ir, modes.product);
  const arbitraries = new Arbitraries(ir);
  let refused = 0;
  for (const [name, decode] of decoders) {
    fuzz(mutated(arbitraries.valueOf(name)), (text) => {
      const value: unknown = JSON.parse(text);
      if (decode.try(value).ok) return undefined;
      refused++;
      return firstLost(JSON.parse(text), value) === undefined && firstLost(value, JSON.parse(text)) === undefined
        ? undefined
        : `${name} is changed to ${JSON.stringify(value)}`;
    });
  }
  expect(refused).toBeGreaterThan(1000);
});
