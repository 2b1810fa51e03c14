import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, irOf, loadCases } from "../test/case.js";
import { emitChecks, emitDecoders, receiving } from "./emit-decoders.js";
import { hotDefinitions } from "./hot.js";

// After an intended change: `vitest run tools/codegen -u`, and review the diff. `tests/schema` shows that hot
// definitions, whose decoders are functions, decode as the data does.
describe.each(loadCases())("$name", ({ ir, expected }) => {
  // Decoders are exported for methods only. A case without methods shows the checks of its definitions.
  const emit = ir.methods.length > 0 ? emitDecoders : emitChecks;

  it("generates the expected decoders as data", async () => {
    await expect(emit(ir, receiving)).toMatchFileSnapshot(join(expected, "decode.gen.ts"));
  });
});

describe("the hot definitions", () => {
  const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
  const variant = (tag: string, name: string) => ({
    allOf: [{ $ref: `#/$defs/${name}` }],
    type: "object",
    properties: { sessionUpdate: { type: "string", const: tag } },
    required: ["sessionUpdate"],
  });
  const document = documentOf({
    Chunk: text,
    Seldom: text,
    Update: {
      oneOf: [variant("agent_message_chunk", "Chunk"), variant("current_mode_update", "Seldom")],
      discriminator: { propertyName: "sessionUpdate" },
    },
    SessionNotification: {
      type: "object",
      properties: { update: { $ref: "#/$defs/Update" } },
      required: ["update"],
    },
  } as never);
  const params = "SessionNotification";
  const method = { name: "session/update", side: "client", kind: "notification", params, result: undefined } as const;
  const ir = { ...irOf(document), methods: [method] };

  it("are the definitions of updates, without the rare variants", () => {
    expect([...hotDefinitions(ir)].sort()).toEqual(["Chunk", "SessionNotification", "Update"]);
    const code = emitChecks(ir, receiving);
    expect(code).toContain("function checkChunk(");
    expect(code).toContain("const checkSeldom: Check = /* @__PURE__ */ struct(");
  });
});

describe("a schema that cannot be decoded stops the generator", () => {
  const emit = (properties: object, required: string[] = []) =>
    emitChecks(irOf(documentOf({ Thing: { type: "object", properties, required } as never })), receiving);

  it("a required lenient member without a possible default", () => {
    const title = { type: "string", "x-deserialize-default-on-error": true };
    expect(() => emit({ title }, ["title"])).toThrow(
      'case: "title" is required and x-deserialize-default-on-error, but has no default',
    );
    expect(() => emit({ title })).not.toThrow();
    expect(() => emit({ title: { ...title, default: "none" } }, ["title"])).not.toThrow();
  });
});
