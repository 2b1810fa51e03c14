import { expect, it } from "vitest";
import { cut, harmless, widthOf } from "./style.js";

it("counts columns, not characters", () => {
  expect(widthOf("abc")).toBe(3);
  expect(widthOf("漢字")).toBe(4);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("\u001b[31mred\u001b[39m")).toBe(3);
});

it("cuts at the width and adds an ellipsis", () => {
  expect(cut("abcdef", 6)).toBe("abcdef");
  expect(cut("abcdefg", 6)).toBe("abcde…");
  expect(cut("漢字漢字", 6)).toBe("漢字…");
});

it("replaces characters that move the cursor or change the direction of the text", () => {
  expect(harmless("\u001b[2J\u202eabc\u0007\n")).toBe("␛[2J␡abc␇\n");
});
