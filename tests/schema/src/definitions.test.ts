import type { Property } from "@acp-kit/codegen/ir";
import { describe, expect, it } from "vitest";
import { compileChecks, modes } from "./compile-checks.js";
import { Examples, wrongFor } from "./examples.js";
import { subjects } from "./schemas.js";

// Tests every definition and each of its members. The decoders are those of the product, but for every definition; the
// package exports only those of params and results.
describe.each(subjects)("$id", async ({ ir }) => {
  const decoders = await compileChecks(ir, modes.product);
  const full = new Examples(ir, "full");
  const minimal = new Examples(ir, "minimal");
  const attempt = (name: string, value: unknown) => {
    const result = decoders.get(name)?.try(structuredClone(value));
    if (result === undefined) throw new Error(`no decoder for ${name}`);
    return result;
  };
  const definitions = [...ir.definitions.values()];
  const objects = definitions.flatMap(({ name, node }) => (node.kind === "object" ? [{ name, node }] : []));
  const unions = definitions.flatMap(({ name, node }) => (node.kind === "tagged" ? [{ name, node }] : []));

  it.each(definitions)("accepts $name with all its members, unchanged", ({ name }) => {
    const value = full.of(name);
    expect(attempt(name, value)).toEqual({ ok: true, value, salvaged: [] });
  });

  it.each(definitions)("accepts $name with only its required members, and adds defaults", ({ name }) => {
    const value = minimal.of(name);
    const result = attempt(name, value);
    expect(result).toMatchObject({ ok: true, value, salvaged: [] });
  });

  it.each(unions)("accepts every variant of $name", ({ name, node }) => {
    for (const value of [...full.variants(node), ...minimal.variants(node)]) {
      expect(attempt(name, value)).toMatchObject({ ok: true, value, salvaged: [] });
    }
  });

  it.each(objects)("keeps unknown members of $name", ({ name }) => {
    const value = { ...(full.of(name) as object), "x-later": { deep: [1, null] }, another: "one" };
    expect(attempt(name, value)).toEqual({ ok: true, value, salvaged: [] });
  });

  it.each(objects)("refuses any value but an object as $name", ({ name }) => {
    for (const value of [null, [], "text", 1]) {
      expect(attempt(name, value)).toMatchObject({ ok: false, issues: [{ path: [] }] });
    }
  });

  it.each(objects)("refuses $name without a required member, and names it", ({ name, node }) => {
    for (const property of node.properties.filter(({ required }) => required)) {
      const { [property.name]: _, ...value } = full.of(name) as Record<string, unknown>;
      expect(attempt(name, value), property.name).toMatchObject({ ok: false, issues: [{ path: [property.name] }] });
    }
  });

  it.each(objects)(
    "refuses or repairs a malformed member of $name, as the schema says, and names it",
    ({ name, node }) => {
      for (const property of node.properties) {
        const wrong = wrongFor(ir, property.node);
        if (wrong === undefined) continue;
        const value = { ...(full.of(name) as object), [property.name]: wrong };
        const result = attempt(name, value);
        if (!property.defaultOnError) {
          expect(result, property.name).toMatchObject({ ok: false, issues: [{ path: [property.name] }] });
          continue;
        }
        const expected = fallback(property);
        const { [property.name]: _, ...rest } = value;
        expect(result, property.name).toEqual({
          ok: true,
          value: expected === undefined ? rest : { ...rest, [property.name]: expected },
          salvaged: [{ path: [property.name], message: expect.stringMatching(/^(left out|read as .+): must be /) }],
        });
      }
    },
  );

  it.each(objects)("drops invalid items of the lenient lists of $name, and reports them", ({ name, node }) => {
    for (const property of node.properties.filter(({ skipInvalidItems }) => skipInvalidItems)) {
      const array = property.node.kind === "nullable" ? property.node.inner : property.node;
      if (array.kind !== "array") throw new Error(`${name}.${property.name} is no array`);
      const example = full.of(name) as Record<string, unknown[]>;
      const items = example[property.name] ?? [];
      const wrong = wrongFor(ir, array.items);
      const value = { ...example, [property.name]: [wrong, ...items, wrong] };
      expect(attempt(name, value), property.name).toMatchObject({
        ok: true,
        value: example,
        salvaged: [{ path: [property.name, 0] }, { path: [property.name, items.length + 1] }],
      });
    }
  });

  it.each(objects)("decodes null as empty where $name allows it, and reports it", ({ name, node }) => {
    for (const property of node.properties.filter(({ defaultOnNull }) => defaultOnNull)) {
      const value = { ...(full.of(name) as object), [property.name]: null };
      const empty = property.node.kind === "array" ? [] : {};
      expect(attempt(name, value), property.name).toMatchObject({
        ok: true,
        value: { [property.name]: empty },
        salvaged: [{ path: [property.name] }],
      });
    }
  });
});

function fallback(property: Property): unknown {
  if (property.default !== undefined) return property.default.value;
  return property.node.kind === "array" ? [] : undefined;
}
