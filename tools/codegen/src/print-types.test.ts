import { expect, it } from "vitest";
import { printDeclaration, type Type } from "./print-types.js";

const lines = (type: Type, doc?: string) => printDeclaration({ name: "Name", type, doc }).split("\n");

it("prints an object as an interface, with comments on one line if they fit", () => {
  const long = "x".repeat(140);
  const members = [
    { name: "a", type: "string", required: true, doc: "Of a member." },
    { name: "b-c", type: { items: { anyOf: ["A", "B"] } }, required: false, doc: "Two\n\nlines, and */." },
    { name: "d", type: { members: [], others: "unknown" }, required: true, doc: long },
  ];
  expect(lines({ members, others: "unknown", parents: ["P", "Q"] }, "Short.")).toEqual([
    "/** Short. */",
    "export interface Name extends P, Q {",
    "  /** Of a member. */",
    "  a: string;",
    "  /**",
    "   * Two",
    "   *",
    "   * lines, and * /.",
    "   */",
    '  "b-c"?: (A | B)[];',
    "  /**",
    `   * ${long}`,
    "   */",
    "  d: {",
    "    [k: string]: unknown;",
    "  };",
    "  [k: string]: unknown;",
    "}",
  ]);
});

it("breaks a union that is too long for a line, or has an object, and names each alternative once", () => {
  const wide = (length: number) => "W".repeat(length);
  expect(lines({ anyOf: ["A", { anyOf: ["B", "null"] }, "B"] })).toEqual(["export type Name = A | B | null;"]);
  expect(lines({ anyOf: [wide(50), wide(51)] })).toEqual(["export type Name =", `  ${wide(50)} | ${wide(51)};`]);
  expect(lines({ anyOf: [wide(80), wide(81)] })).toEqual(["export type Name =", `  | ${wide(80)}`, `  | ${wide(81)};`]);
  const object = { members: [{ name: "a", type: "A", required: true }] };
  expect(lines({ anyOf: ["A", object, { allOf: [object, "B"] }] })).toEqual([
    "export type Name =",
    "  | A",
    "  | {",
    "      a: A;",
    "    }",
    "  | ({",
    "      a: A;",
    "    } & B);",
  ]);
});

it("breaks an intersection after its first type", () => {
  const object = { members: [{ name: "a", type: "A", required: true }] };
  expect(lines({ allOf: ["A", object] })).toEqual(["export type Name = A & {", "  a: A;", "};"]);
  expect(lines({ allOf: ["A", { anyOf: ["B", "C"] }, object] })).toEqual([
    "export type Name = A &",
    "  (B | C) & {",
    "    a: A;",
    "  };",
  ]);
});
