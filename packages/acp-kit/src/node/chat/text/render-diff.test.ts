import { expect, it } from "vitest";
import { createPaint } from "./paint.js";
import { renderDiff } from "./render-diff.js";

const canvas = { columns: 40, paint: createPaint(false) };

it("shows removed and added lines with their context and their line numbers", () => {
  const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  const after = before.map((line, index) => (index === 1 ? "second" : line)).filter((_, index) => index !== 10);
  expect(renderDiff(before.join("\n"), after.join("\n"), canvas)).toEqual([
    " 1   line 1",
    " 2 - line 2",
    " 2 + second",
    " 3   line 3",
    " 4   line 4",
    " 5   line 5",
    "⋯",
    " 8   line 8",
    " 9   line 9",
    "10   line 10",
    "11 - line 11",
    "11   line 12",
  ]);
});

it("uses green and red if there are colours, and removes escape sequences of the agent", () => {
  const lines = renderDiff("old", "new \u001b]0;owned\u0007", { columns: 40, paint: createPaint(true) });
  expect(lines).toEqual([
    "\u001b[2m1\u001b[22m \u001b[31m- old\u001b[39m",
    "\u001b[2m1\u001b[22m \u001b[32m+ new \u001b[39m",
  ]);
});

it("shows a new file, and nothing for an unchanged file", () => {
  expect(renderDiff(null, "a\nb\n", canvas)).toEqual(["1 + a", "2 + b"]);
  expect(renderDiff("a\n", "a\n", canvas)).toEqual([]);
});
