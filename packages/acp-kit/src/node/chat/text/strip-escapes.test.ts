import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripEscapes } from "./strip-escapes.js";

const esc = "\u001b";
const whole = [
  ...[`${esc}[m`, `${esc}[1;38;5;4m`, `${esc}[2J`, `${esc}[?1049h`, `${esc}[1 q`, `${esc}[>4;1m`, "\u009b2J"],
  ...[`${esc}c`, `${esc}7`, `${esc}(B`, `${esc}#8`, `${esc}M`, `${esc}=`],
  ...[`${esc}]0;title\u0007`, `${esc}]8;;https://a.b/c?d=e${esc}\\`, `${esc}]52;c;cm0=\u009c`, "\u009d0;x\u0007"],
  ...[`${esc}P1$r0m${esc}\\`, `${esc}_app${esc}\\`, `${esc}^private${esc}\\`, `${esc}Xstart${esc}\\`, "\u0090q\u009c"],
];

describe("stripEscapes", () => {
  it.each(whole)("removes %j, and nothing around it", (sequence) => {
    expect(stripEscapes(`a${sequence}b${sequence}${sequence}c`)).toBe("abc");
  });

  it("removes nothing outside of escape sequences, and adds nothing", () => {
    const plain = fc.string({ unit: fc.constantFrom("a", "ß", "文", " ", "\n") });
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, fc.constantFrom(...whole))), (parts) => {
        expect(stripEscapes(parts.flat().join(""))).toBe(parts.map(([text]) => text).join(""));
      }),
    );
  });

  it.each([`${esc}]8;;`, "\u009d8;;", `${esc}P`, `${esc}[1;`, `${esc}[ `, `${esc} `, `${esc}]a${esc}`, esc])(
    "hostile.terminal-text: processes the unterminated sequence %j, repeated, in linear time",
    async (unit) => {
      expect(await growthOf((size) => stripEscapes(unit.repeat(size)))).toBeLessThan(LINEAR);
    },
  );
});
