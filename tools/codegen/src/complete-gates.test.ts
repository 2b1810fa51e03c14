import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { buildIr } from "./build-ir.js";
import { completeGates, unnamedCondition } from "./complete-gates.js";
import { type Gates, gates, type MethodGate } from "./gates.js";
import type { SchemaIr } from "./ir.js";
import { loadSchema, schemaDirectory } from "./load.js";

const ir = buildIr(loadSchema(`${schemaDirectory}v1/schema.json`));
// `gatesOf` completes the table: a schema update may have added a method without an entry in the table.
const table = completeGates(ir, gates.v1 as Gates).gates;

/** Returns the gate of a new request to the agent whose params have this description. */
function inferred(name: string, doc: string, schema: SchemaIr = ir): MethodGate | undefined {
  const definitions = new Map(schema.definitions);
  definitions.set("NewRequest", { name: "NewRequest", doc, node: { kind: "any" } });
  const method = { name, side: "agent", kind: "request", params: "NewRequest", result: undefined } as const;
  const found = completeGates({ ...schema, definitions, methods: [...schema.methods, method] }, table);
  expect(found.inferred.map(({ method: missing }) => missing)).toEqual([name]);
  return found.gates.methods.agent?.[name];
}

describe("completeGates", () => {
  it("adds nothing if every method has an entry", () => {
    expect(completeGates(ir, table)).toEqual({ gates: table, inferred: [] });
  });

  it("takes the capability that the description names", () => {
    expect(
      inferred("session/again", "Only available if the Agent supports the `sessionCapabilities.resume` capability."),
    ).toEqual({ capability: ["agent.sessionCapabilities.resume"] });
    expect(inferred("other/thing", "Needs the `resume` capability.")).toEqual({
      capability: ["agent.sessionCapabilities.resume"],
    });
  });

  it("takes the capability with the same name as the method", () => {
    expect(inferred("session/resume2", "Words.")).toEqual({ condition: unnamedCondition });
    const agent = { ...table.methods.agent };
    delete agent["session/resume"];
    expect(completeGates(ir, { ...table, methods: { ...table.methods, agent } }).inferred).toEqual([
      { side: "agent", method: "session/resume", gate: { capability: ["agent.sessionCapabilities.resume"] } },
    ]);
  });

  it("adds a condition if the schema names no capability, or a capability that doesn't exist", () => {
    expect(inferred("session/dance", "Makes the session dance.")).toEqual({ condition: unnamedCondition });
    expect(inferred("session/dance", "Needs the `dance` capability.")).toEqual({ condition: unnamedCondition });
  });

  it("finds the entry of a method with a name that every JavaScript object inherits", () => {
    expect(inferred("constructor", "")).toEqual({ condition: unnamedCondition });
  });

  it("searches a long description in linear time", async () => {
    const search = (size: number): void => {
      const prose = `${"`a` capability ".repeat(size)}${"`".repeat(size)}${"a.".repeat(size)}`;
      expect(inferred("session/dance", prose)).toEqual({ condition: unnamedCondition });
    };
    expect(await growthOf(search)).toBeLessThan(LINEAR);
  });
});
