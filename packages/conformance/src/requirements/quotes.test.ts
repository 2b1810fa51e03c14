import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requirementOf } from "./find-requirement.js";
import { addressOf, quotes } from "./quotes.js";
import { revisions } from "./revisions.js";

const text = readFileSync(new URL("../../../../schema/v1/schema.json", import.meta.url));

/** The part of the schema that a JSON pointer leads to. */
function at(pointer: string): { readonly description?: string } {
  let here = JSON.parse(text.toString("utf8"));
  for (const name of pointer.split("/").slice(1)) here = here?.[name];
  return here ?? {};
}

test("a report names the schema that messages are checked against", () => {
  expect(createHash("sha256").update(text).digest("hex")).toBe(revisions.schemaSha256);
});

test("quotes from the schema are in it, word for word", () => {
  for (const [id, quote] of Object.entries(quotes)) {
    if (quote.pointer === undefined) continue;
    expect(at(quote.pointer).description?.replaceAll("\n", " "), id).toContain(quote.text);
  }
});

test("every quote belongs to a rule, and names its location", () => {
  for (const [id, quote] of Object.entries(quotes)) {
    expect(requirementOf(id).level, id).toMatch(/^(?:MUST|FACT)/);
    expect(quote.text, id).toMatch(/MUST|never/);
    expect((quote.page === undefined) !== (quote.pointer === undefined), id).toBe(true);
  }
  expect(addressOf(quotes["CANCEL-06"] ?? { text: "" })).toBe(
    "https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation",
  );
});
