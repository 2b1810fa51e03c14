import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requirementOf } from "./find-requirement.js";
import { statements } from "./quotes/statements.js";
import { citationOf, quotes } from "./quotes.js";
import { requirements } from "./requirements.js";
import { revisions } from "./revisions.js";

const text = readFileSync(new URL("../../../../schema/v1/schema.json", import.meta.url));
const schema = JSON.parse(text.toString("utf8"));

/** The part of the schema that a JSON pointer leads to. */
function at(pointer: string): unknown {
  let here = schema;
  for (const name of pointer.split("/").slice(1)) here = here?.[name];
  return here;
}

/** The description at a pointer, in one line. */
function descriptionAt(pointer: string): string {
  const { description } = at(pointer) as { readonly description?: string };
  return (description ?? "").replace(/\s+/g, " ");
}

test("a report names the schema that messages are checked against", () => {
  expect(createHash("sha256").update(text).digest("hex")).toBe(revisions.schemaSha256);
});

test("conformance.quotable: every MUST has a sentence of the specification, or a place in it and the reason for the missing sentence", () => {
  const firm = requirements.filter(({ level }) => level === "MUST" || level === "MUST NOT").map(({ id }) => id);
  expect(firm.filter((id) => !(id in quotes) && !(id in statements))).toEqual([]);
  expect(Object.keys(quotes).filter((id) => id in statements)).toEqual([]);
  for (const id of Object.keys(statements)) expect(firm).toContain(id);
});

test("quotes from the schema are in it, word for word", () => {
  for (const [id, { pointer, text }] of Object.entries(quotes)) {
    if (pointer !== undefined) expect(descriptionAt(pointer), id).toContain(text);
  }
});

test("a rule that the schema states by its shape names a place that exists", () => {
  for (const [id, { pointer, address, because }] of Object.entries(statements)) {
    expect((pointer === undefined) !== (address === undefined), id).toBe(true);
    if (pointer !== undefined) expect(at(pointer), id).toBeDefined();
    expect(because.length, id).toBeGreaterThan(20);
  }
});

test("every quote belongs to a rule of the same source, and names its location", () => {
  const sources = { pages: "docs", rfd: "rfd", schema: "schema", "json-rpc": "json-rpc" } as const;
  for (const [id, quote] of Object.entries(quotes)) {
    expect((quote.address === undefined) !== (quote.pointer === undefined), id).toBe(true);
    expect(quote.text, id).toMatch(/^\S.{20,}\S$/);
    if (quote.source !== "pages" && quote.source !== "schema") {
      expect(requirementOf(id).sources, id).toContain(sources[quote.source]);
    }
  }
  expect(citationOf("CANCEL-06")).toMatchObject({
    address: "https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation",
    note: "agentclientprotocol.com, copies of 2026",
  });
  expect(citationOf("PLAN-02")?.place).toBe("stated by the schema at #/$defs/PlanEntry/required");
});
