import { expect, it } from "vitest";
import { withShortComments } from "./print-types.js";

it("writes a comment of one line on one line, as far as it fits, and leaves the others", () => {
  const long = "x".repeat(140);
  const text = [
    "/**",
    " * Short.",
    " */",
    "export interface A {",
    "  /**",
    "   * Of a member.",
    "   */",
    "  a: string;",
    "  /**",
    "   * Two",
    "   * lines.",
    "   */",
    "  b: string;",
    "  /**",
    `   * ${long}`,
    "   */",
    "  c: string;",
    "}",
  ].join("\n");
  expect(withShortComments(text).split("\n")).toEqual([
    "/** Short. */",
    "export interface A {",
    "  /** Of a member. */",
    "  a: string;",
    "  /**",
    "   * Two",
    "   * lines.",
    "   */",
    "  b: string;",
    "  /**",
    `   * ${long}`,
    "   */",
    "  c: string;",
    "}",
  ]);
});
