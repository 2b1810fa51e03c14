import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version2Rules } from "../areas/version-2/rules.js";
import { weighs } from "../heaviest-tier.js";
import { citationOf } from "./citation.js";
import { requirementOf } from "./find-requirement.js";
import { requirements } from "./requirements.js";
import { revisions } from "./revisions.js";
import type { Quote, Statement } from "./specification.js";
import { tierOf } from "./tier.js";

const all = [...requirements, ...version2Rules];
const quotes: Readonly<Record<string, Quote>> = Object.fromEntries(
  all.flatMap(({ id, spec }) => (spec && "text" in spec ? [[id, spec]] : [])),
);
const statements: Readonly<Record<string, Statement>> = Object.fromEntries(
  all.flatMap(({ id, spec }) => (spec && "because" in spec ? [[id, spec]] : [])),
);

const text = readFileSync(new URL("../../../../schema/v1/schema.json", import.meta.url));
const schemas = {
  1: JSON.parse(text.toString("utf8")),
  2: JSON.parse(readFileSync(new URL("../../../../schema/v2/schema.json", import.meta.url), "utf8")),
};

/** Returns the part of the schema of the rule's version at a JSON pointer. */
function at(id: string, pointer: string): unknown {
  let here = schemas[id.startsWith("V2-") ? 2 : 1];
  for (const name of pointer.split("/").slice(1)) here = here?.[name];
  return here;
}

/** Returns the description at a JSON pointer, on one line. */
function descriptionAt(id: string, pointer: string): string {
  const { description } = at(id, pointer) as { readonly description?: string };
  return (description ?? "").replace(/\s+/g, " ");
}

test("a report names the schema that messages are validated with", () => {
  expect(createHash("sha256").update(text).digest("hex")).toBe(revisions.schemaSha256);
});

test("conformance.quotable: every MUST has a sentence of the specification, or a location in the specification and the reason why there is no sentence", () => {
  const firm = all.filter(({ level }) => level === "MUST" || level === "MUST NOT").map(({ id }) => id);
  expect(firm.filter((id) => !(id in quotes) && !(id in statements))).toEqual([]);
  for (const id of Object.keys(statements)) expect(firm).toContain(id);
});

test("the schema contains its quotes word for word", () => {
  for (const [id, { pointer, text }] of Object.entries(quotes)) {
    if (pointer !== undefined) expect(descriptionAt(id, pointer), id).toContain(text);
  }
});

test("the pointer of a rule without a sentence exists in the schema", () => {
  for (const [id, { pointer, address, because }] of Object.entries(statements)) {
    expect((pointer === undefined) !== (address === undefined), id).toBe(true);
    if (pointer !== undefined) expect(at(id, pointer), id).toBeDefined();
    expect(because.length, id).toBeGreaterThan(20);
  }
});

test("a rule weighs only if its sentence is quoted, or if the schema states it", () => {
  const byPage = Object.keys(statements).filter((id) => statements[id]?.address !== undefined);
  expect(byPage).toEqual(["ERR-03"]);
  for (const id of byPage) expect(weighs(tierOf(requirementOf(id))), id).toBe(false);
});

test("a rule whose page states it without a MUST is advice, although its RFD has one", () => {
  expect(quotes["ELICIT-19"]?.address).toContain("/rfds/");
  expect(tierOf(requirementOf("ELICIT-19"))).toBe("advisory");
});

test("every quote belongs to a rule of the same source, and names its location", () => {
  const sources = {
    pages: "docs",
    rfd: "rfd",
    schema: "schema",
    "schema-v2": "preview",
    "json-rpc": "json-rpc",
  } as const;
  for (const [id, quote] of Object.entries(quotes)) {
    expect((quote.address === undefined) !== (quote.pointer === undefined), id).toBe(true);
    expect(quote.text, id).toMatch(/^\S.{20,}\S$/);
    if (quote.source === "document")
      expect(quote.revision, id).toMatch(/^docs\/\S+ of [^\s,]+(, as copied by \S+)? at [0-9a-f]{8}$/);
    else if (quote.source !== "pages" && quote.source !== "schema") {
      expect(requirementOf(id).sources, id).toContain(sources[quote.source]);
    }
  }
  expect(citationOf("CANCEL-06")).toMatchObject({
    address: "https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation",
    note: expect.stringContaining("at b7f00054"),
  });
  expect(citationOf("RPC-04")?.text).toContain("the Server MUST reply with a Response");
  expect(citationOf("LIST-13")?.note).toBe(
    "docs/rfds/session-list.mdx of agentclientprotocol/agent-client-protocol at 11cff553",
  );
  expect(citationOf("ELICIT-34")).toMatchObject({
    address: "https://agentclientprotocol.com/protocol/v1/elicitation#url-completion",
    note: "docs/protocol/v1/draft/elicitation.mdx of agentclientprotocol/agent-client-protocol, as copied by julia-script/acpclient at d4ad06c9",
  });
  expect(citationOf("PLAN-02")?.place).toBe("stated by the schema at #/$defs/PlanEntry/required");
});
