import { expect, it } from "vitest";
import { hideSpans } from "./spans.js";

it("hides exactly the given spans, which may overlap, touch and be in any order", () => {
  const text = "0123456789";
  expect(hideSpans(text, [])).toBe(text);
  expect(hideSpans(text, [{ start: 0, end: 10 }])).toBe("[redacted]");
  expect(
    hideSpans(text, [
      { start: 6, end: 8 },
      { start: 1, end: 3 },
      { start: 2, end: 4 },
    ]),
  ).toBe("0[redacted]45[redacted]89");
  expect(
    hideSpans(text, [
      { start: 1, end: 3 },
      { start: 3, end: 5 },
      { start: 4, end: 4 },
    ]),
  ).toBe("0[redacted]56789");
  expect(
    hideSpans(text, [
      { start: 1, end: 6 },
      { start: 2, end: 3 },
    ]),
  ).toBe("0[redacted]6789");
});
