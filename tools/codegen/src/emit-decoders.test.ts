import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, irOf, loadCases } from "./case.js";
import { emitChecks, emitDecoders, receiving } from "./emit-decoders.js";

// After a wanted change: `vitest run tools/codegen -u`, and read the diff.
describe.each(loadCases())("$name", ({ ir, expected }) => {
  it("is decoded by the expected functions", async () => {
    // Only what belongs to a method is exported; a case without methods shows the checks of its definitions.
    const text = ir.methods.length > 0 ? emitDecoders(ir) : emitChecks(ir, receiving);
    await expect(text).toMatchFileSnapshot(join(expected, "decode.gen.ts"));
  });
});

describe("what cannot be decoded stops the generator", () => {
  const emit = (properties: object, required: string[] = []) =>
    emitChecks(irOf(documentOf({ Thing: { type: "object", properties, required } as never })), receiving);

  it("a required lenient member that nothing can stand in for", () => {
    const title = { type: "string", "x-deserialize-default-on-error": true };
    expect(() => emit({ title }, ["title"])).toThrow(
      'case: "title" is required and x-deserialize-default-on-error, but has no default',
    );
    expect(() => emit({ title })).not.toThrow();
    expect(() => emit({ title: { ...title, default: "none" } }, ["title"])).not.toThrow();
  });
});
