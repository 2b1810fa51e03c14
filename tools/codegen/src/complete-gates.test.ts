import { describe, expect, it } from "vitest";
import { buildIr } from "./build-ir.js";
import { completeGates, unnamedCondition } from "./complete-gates.js";
import { type Gates, gates, type MethodGate } from "./gates.js";
import type { SchemaIr } from "./ir.js";
import { loadSchema, schemaDirectory } from "./load.js";

const ir = buildIr(loadSchema(`${schemaDirectory}v1/schema.json`));
// Completed: a schema update may have brought a method that the table has no entry for yet.
const table = completeGates(ir, gates.v1 as Gates).gates;

/** The gate of a new request to the agent whose params are described in these words. */
function inferred(name: string, doc: string, schema: SchemaIr = ir): MethodGate | undefined {
  const definitions = new Map(schema.definitions);
  definitions.set("NewRequest", { name: "NewRequest", doc, node: { kind: "any" } });
  const method = { name, side: "agent", kind: "request", params: "NewRequest", result: undefined } as const;
  const found = completeGates({ ...schema, definitions, methods: [...schema.methods, method] }, table);
  expect(found.inferred.map(({ method: missing }) => missing)).toEqual([name]);
  return found.gates.methods.agent?.[name];
}

describe("the gate of a method without an entry", () => {
  it("is nothing new where every method has an entry", () => {
    expect(completeGates(ir, table)).toEqual({ gates: table, inferred: [] });
  });

  it("is the capability that the description names", () => {
    expect(
      inferred("session/again", "Only available if the Agent supports the `sessionCapabilities.resume` capability."),
    ).toEqual({ capability: ["agent.sessionCapabilities.resume"] });
    expect(inferred("other/thing", "Needs the `resume` capability.")).toEqual({
      capability: ["agent.sessionCapabilities.resume"],
    });
  });

  it("is the capability that is called like the method", () => {
    expect(inferred("session/resume2", "Words.")).toEqual({ condition: unnamedCondition });
    const agent = { ...table.methods.agent };
    delete agent["session/resume"];
    expect(completeGates(ir, { ...table, methods: { ...table.methods, agent } }).inferred).toEqual([
      { side: "agent", method: "session/resume", gate: { capability: ["agent.sessionCapabilities.resume"] } },
    ]);
  });

  it("is a condition where the schema names none, or one that doesn't exist", () => {
    expect(inferred("session/dance", "Makes the session dance.")).toEqual({ condition: unnamedCondition });
    expect(inferred("session/dance", "Needs the `dance` capability.")).toEqual({ condition: unnamedCondition });
  });

  it("is found for methods that are called like something every object has", () => {
    expect(inferred("constructor", "")).toEqual({ condition: unnamedCondition });
  });

  it("is looked for in long prose in time that grows with it", () => {
    const prose = `${"`a` capability ".repeat(50_000)}${"`".repeat(100_000)}${"a.".repeat(100_000)}`;
    expect(inferred("session/dance", prose)).toEqual({ condition: unnamedCondition });
  });
});
