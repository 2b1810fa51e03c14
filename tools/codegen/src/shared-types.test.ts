import { describe, expect, it } from "vitest";
import { documentOf, irOf } from "../test/case.js";
import { emitTypes } from "./emit-types.js";
import type { PrintedDeclaration } from "./shared-types.js";
import { sharedTypes } from "./shared-types.js";

const declaration = (name: string, text: string, ...mentions: string[]): PrintedDeclaration => ({
  name,
  text,
  schema: { anyOf: mentions.map((tsType) => ({ tsType })) },
});

describe("the types that a schema shares with another", () => {
  it("are the types whose generated text is the same in both", () => {
    const own = [declaration("A", "a"), declaration("B", "b"), declaration("C", "c")];
    const other = [declaration("A", "a"), declaration("B", "another b")];
    expect([...sharedTypes(own, other)]).toEqual(["A"]);
  });

  it("may differ in links: pages of a draft, or pages of a version", () => {
    const own = [declaration("A", "see /protocol/v2/draft/a")];
    expect([...sharedTypes(own, [declaration("A", "see /protocol/v2/a")])]).toEqual(["A"]);
    expect([...sharedTypes(own, [declaration("A", "see /protocol/v1/a")])]).toEqual([]);
  });

  it("mention no type that isn't shared, directly or indirectly", () => {
    const other = [
      declaration("A", "a", "B"),
      declaration("B", "b", "C[]"),
      declaration("C", "c"),
      declaration("D", "d"),
    ];
    const own = [...other.slice(0, 2), declaration("C", "another c"), declaration("D", "d", "A | string")];
    expect([...sharedTypes(own, other)]).toEqual([]);
  });

  it("may mention each other", () => {
    const circle = [declaration("A", "a", "B"), declaration("B", "b", "A")];
    expect([...sharedTypes(circle, circle)]).toEqual(["A", "B"]);
  });

  it("extend no type that isn't shared", () => {
    const child = { ...declaration("B", "b"), schema: { extends: [{ title: "A" }] as unknown as string[] } };
    expect([...sharedTypes([declaration("A", "a"), child], [declaration("A", "another a"), child])]).toEqual([]);
  });

  it("mention a type only if its name is in their code, not if it is in a string", () => {
    const other = [declaration("A", "a", 'Omit<D, "C">'), declaration("C", "c"), declaration("D", "d")];
    const own = [declaration("A", "a", 'Omit<D, "C">'), declaration("C", "another c"), declaration("D", "d")];
    expect([...sharedTypes(own, other)]).toEqual(["A", "D"]);
  });
});

it("the generated file re-exports the shared types, and imports those that its other types mention", async () => {
  const name = { type: "string" };
  const same = { Same: { type: "object", properties: { name }, required: ["name"] } };
  const stable = irOf(documentOf(same));
  const own = { type: "object", properties: { same: { $ref: "#/$defs/Same" } } };
  const text = await emitTypes(irOf(documentOf({ ...same, Own: own })), stable);
  expect(text).toContain('export type {\n  Same,\n} from "@acp-kit/types";');
  expect(text).toContain("import type {\n  Same,\n}");
  expect(text).toContain("same?: Same;");
  expect(text).not.toContain("interface Same");
});
