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

describe("the page", () => {
  const [first] = agentQuirks;
  if (first === undefined) throw new Error("no rows");

  it("distinguishes features that work, that fail, and that were not tried", () => {
    const row = {
      ...first,
      offers: ["loadSession", "promptCapabilities.image", "sessionCapabilities.list"],
      probed: ["session/list", "session/load", "session/close"],
      offeredButBroken: [{ feature: "session/load", observed: "error -32603" }],
      worksUnoffered: [],
    };
    const text = agentsPage([row]);
    expect(text).toContain(`| methods tried | \`session/list\`, \`session/load\`, \`session/close\` |
| advertised, works | \`session/list\` |
| advertised, fails | \`session/load\`: error -32603 |
| advertised, not tried | \`promptCapabilities.image\` |`);
    expect(text).not.toContain("not advertised, works");
    expect(agentsPage([{ ...row, probed: [], offeredButBroken: [] }])).toContain(
      "| methods tried | none: no session could be opened |",
    );
  });

  it("says what works in version 2, or that the agent does not speak it or was not measured", () => {
    const version2 = {
      offers: ["session.delete"],
      probed: ["session/list", "session/resume"],
      offeredButBroken: [{ feature: "session/resume", observed: "error -32603" }],
      outsideSchema: [],
      onCancel: "cancelled",
    };
    const text = agentsPage([{ ...first, version2 }]);
    expect(text).toContain(
      "| version 2: works | `session/list` |\n| version 2: fails | `session/resume`: error -32603 |",
    );
    expect(agentsPage([{ ...first, version2: null }])).toContain("| version 2 | no: the agent chooses version 1 |");
    const { version2: _, ...before } = first;
    expect(agentsPage([before])).toContain("| version 2 | not measured |");
  });

  it("has a row for each compatibility rule, which names its measurements or the agents it was written for", () => {
    for (const [rule, { rows, seenIn }] of Object.entries(dialectRules)) {
      const where = rows.length === 0 ? "no measured agent" : rows.join(", ");
      expect(agentsPage([])).toMatch(new RegExp(`^\\| \`${rule}\` \\|.*\\| ${where} \\| `, "m"));
      expect(agentsPage([])).toContain(`| ${seenIn} |\n`);
    }
  });
});

it("quirks.json is formatted as `doctor --matrix` writes it", () => {
  expect(readFileSync(rowsFile, "utf8")).toBe(`${JSON.stringify(agentQuirks, undefined, 2)}\n`);
});

it("registry.quirks: the compatibility rules of the client list exactly the rows in which they were measured", () => {
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

  it("a later version ends the range of the earlier version", () => {
    const rows = mergeRow([first], later);
    expect(rows.map(({ versions }) => versions)).toEqual([`>=${first.measured.version} <99.0.0`, ">=99.0.0"]);
  });

  it("an earlier version is measured later: no range is empty, and no two ranges overlap", () => {
    const between = { ...later, versions: ">=98.0.0", measured: { ...later.measured, version: "98.0.0" } };
    const rows = mergeRow(mergeRow([first], later), between);
    const ranges = Object.fromEntries(rows.map(({ measured, versions }) => [measured.version, versions]));
    expect(ranges).toEqual({
      [first.measured.version]: `>=${first.measured.version} <98.0.0`,
      "98.0.0": ">=98.0.0 <99.0.0",
      "99.0.0": ">=99.0.0",
    });
  });

  it("another result of a version that is not the newest keeps its range", () => {
    const rows = mergeRow(mergeRow([first], later), { ...first, onCancel: "other" });
    expect(new Set(rows.map(({ versions }) => versions))).toEqual(
      new Set([`>=${first.measured.version} <99.0.0`, ">=99.0.0"]),
    );
  });

  it("features that only some measurements of a version find are marked, and later measurements don't change the row", () => {
    const broken = { feature: "session/load", observed: "error -32603" };
    const row = { ...first, offeredButBroken: [], worksUnoffered: [] };
    const failed = { ...row, offeredButBroken: [broken] };
    const both = { ...row, offeredButBroken: [{ ...broken, inSomeRuns: true }] };
    expect(mergeRow([failed], row)).toEqual([both]);
    expect(mergeRow([row], failed)).toEqual([both]);
    const [merged] = mergeRow([row], failed);
    if (merged === undefined) throw new Error("no row");
    for (const again of [row, failed]) expect(mergeRow([merged], again)).toEqual([merged]);
    expect(agentsPage([merged])).toContain("| advertised, fails | `session/load`: error -32603 in some runs |");
  });

  it("the same result on another day keeps the rows; another result replaces the row", () => {
    const again = { ...first, measured: { ...first.measured, on: "2099-01-01" } };
    expect(mergeRow(agentQuirks, again)).toBe(agentQuirks);
    expect(mergeRow([first], { ...again, onCancel: "other" })).toEqual([{ ...again, onCancel: "other" }]);
  });
});
