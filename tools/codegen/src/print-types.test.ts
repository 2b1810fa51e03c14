import { expect, it } from "vitest";
import { withShortComments } from "./print-types.js";

it("writes a one-line comment on one line if it fits, and keeps other comments", () => {
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
