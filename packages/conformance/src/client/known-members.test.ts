import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knownMembers } from "../gen/v1/members.gen.js";
import { isObject, type Json } from "../wire/values.js";

const schema = JSON.parse(readFileSync(new URL("../../../../schema/v1/schema.json", import.meta.url), "utf8"));
const definitions: Readonly<Record<string, Json>> = schema.$defs;

function membersOf(definition: unknown): string[] {
  if (!isObject(definition)) return [];
  const parts = [definition.allOf, definition.anyOf, definition.oneOf].flatMap((each) =>
    Array.isArray(each) ? each : [],
  );
  const referred =
    typeof definition.$ref === "string" ? definitions[definition.$ref.split("/").at(-1) ?? ""] : undefined;
  const own = isObject(definition.properties) ? Object.keys(definition.properties) : [];
  return [...own, ...[...parts, referred].flatMap(membersOf)];
}

test("the known members of client messages are those of the schema", () => {
  const params: Record<string, string[]> = {};
  const results: Record<string, string[]> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    const method = definition["x-method"];
    if (typeof method !== "string") continue;
    const members = [...new Set(membersOf(definition))].filter((member) => member !== "_meta").sort();
    if (name.endsWith("Response")) {
      if (definition["x-side"] === "client") results[method] = members;
    } else if (definition["x-side"] !== "client") params[method] = members;
  }
  expect(knownMembers).toEqual({ params, results });
});
