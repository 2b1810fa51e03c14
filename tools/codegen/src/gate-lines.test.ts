import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildIr } from "./build-ir.js";
import { checkGates } from "./check-gates.js";
import { DecisionList, decisionLine } from "./decisions.js";
import { withGateLines } from "./gate-lines.js";
import { type Gates, gates } from "./gates.js";
import { loadSchema, schemaDirectory, schemaPaths } from "./load.js";
import { gatesOf } from "./understand.js";

const table = readFileSync(new URL("gates.ts", import.meta.url), "utf8");
const lines = table.split("\n");

/** Returns every entry of a table, with the names that `checkGates` uses. */
function entriesOf(id: string, { methods, payloads, switches, patches }: Gates): string[][] {
  return [
    ...Object.entries(methods).flatMap(([side, own]) => Object.keys(own).map((name) => [id, "methods", side, name])),
    ...payloads.map(({ at, variant }) => [id, "payloads", at, ...(variant === undefined ? [] : [variant])]),
    ...switches.map((path) => [id, "switches", path]),
    ...Object.keys(patches).map((name) => [id, "patches", name]),
  ];
}

function lineOf(entry: readonly string[], text: string = table): number | undefined {
  return withGateLines([{ file: "gates.ts", what: "", entry }], text)[0]?.line;
}

describe("a decision about an entry of the gate table", () => {
  it.each(Object.entries(gates))("names the line of the entry of %s", (id, own) => {
    for (const entry of entriesOf(id, own)) {
      const name = entry[1] === "payloads" ? entry[2] : entry.at(-1);
      const line = lineOf(entry);
      expect(lines[(line ?? 0) - 1], entry.join(" ")).toContain(name);
    }
  });

  it("names the lines of a removed method in each schema that had it", () => {
    const name = "session/delete";
    const decisions = schemaPaths.flatMap((path) => {
      const ir = buildIr(loadSchema(`${schemaDirectory}${path}`));
      const without = { ...ir, methods: ir.methods.filter((method) => method.name !== name) };
      const list = new DecisionList();
      // `gatesOf` completes the table: a schema update may have added a method without an entry in the table.
      list.attempt(ir.id, () => checkGates(without, gatesOf(ir)));
      return withGateLines(list.all(), table);
    });
    expect(decisions.map(({ what }) => what)).toEqual(
      ["v1", "v1-unstable", "v2", "v2-unstable"].map(
        (id) => `${id}: there is no method "${name}" handled by side "agent"`,
      ),
    );
    for (const { line } of decisions) expect(lines[(line ?? 0) - 1]).toContain(`"${name}": capability(`);
    const [v1, v1Unstable, v2] = decisions.map(({ line }) => line);
    expect(v1Unstable).toBe(v1);
    expect(v2).not.toBe(v1);
    expect(decisionLine(decisions[0] ?? { file: "", what: "" })).toBe(
      `tools/codegen/src/gates.ts:${v1}: v1: there is no method "${name}" handled by side "agent"`,
    );
  });

  it("distinguishes sides and schemas", () => {
    const text = `
const v1 = { methods: {
  agent: { "a/b": "baseline" },
  client: { "a/b": "baseline" },
} };
const v2 = { methods: {
  agent: { ...v1.methods.agent },
  client: { "a/b": "baseline" },
} };
export const gates = { v1, "v2-unstable": v2 };
`;
    expect(lineOf(["v1", "methods", "client", "a/b"], text)).toBe(4);
    expect(lineOf(["v2-unstable", "methods", "agent", "a/b"], text)).toBe(3);
    expect(lineOf(["v2-unstable", "methods", "client", "a/b"], text)).toBe(8);
    expect(lineOf(["v1", "methods", "proxy", "a/b"], text)).toBeUndefined();
  });

  it("has no line if it is not about a table entry", () => {
    expect(withGateLines([{ file: "x.ts", what: "y" }], table)).toEqual([{ file: "x.ts", what: "y" }]);
  });
});
