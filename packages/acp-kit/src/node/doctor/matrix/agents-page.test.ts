import { readFileSync } from "node:fs";
import { dialectRules } from "@acp-kit/client";
import { agentQuirks } from "@acp-kit/registry/quirks";
import { describe, expect, it } from "vitest";
import { agentsPage } from "./agents-page.js";
import { mergeRow } from "./merge-rows.js";

const page = new URL("../../../../../../docs/agents.md", import.meta.url);
const rowsFile = new URL("../../../../../registry/src/quirks/quirks.json", import.meta.url);

it("registry.quirks: docs/agents.md is generated from the rows, byte for byte", () => {
  expect(readFileSync(page, "utf8")).toBe(agentsPage(agentQuirks));
});

it("the rows are written as the matrix writes them", () => {
  expect(readFileSync(rowsFile, "utf8")).toBe(`${JSON.stringify(agentQuirks, undefined, 2)}\n`);
});

it("registry.quirks: a rule of the client that names a row is needed by it, and a measured rule names its row", () => {
  const measured = agentQuirks.flatMap(({ agent, measured, rules }) =>
    rules.map((rule) => `${rule}: ${agent} ${measured.version}`),
  );
  const named = Object.entries(dialectRules).flatMap(([rule, { rows }]) => rows.map((row) => `${rule}: ${row}`));
  expect([...named].sort()).toEqual([...measured].sort());
});

describe("merging", () => {
  const [first] = agentQuirks;
  if (first === undefined) throw new Error("no rows");
  const later = { ...first, versions: ">=99.0.0", measured: { ...first.measured, version: "99.0.0" } };

  it("a later version ends the range of the earlier one", () => {
    const rows = mergeRow([first], later);
    expect(rows.map(({ versions }) => versions)).toEqual([`>=${first.measured.version} <99.0.0`, ">=99.0.0"]);
  });

  it("the same result on another day changes no byte; another result replaces the row", () => {
    const again = { ...first, measured: { ...first.measured, on: "2099-01-01" } };
    expect(mergeRow(agentQuirks, again)).toBe(agentQuirks);
    expect(mergeRow([first], { ...again, onCancel: "other" })).toEqual([{ ...again, onCancel: "other" }]);
  });
});
