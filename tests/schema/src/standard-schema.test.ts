import type { IncomingSessionNotification, SessionNotification } from "@acp-kit/schema";
import { decodeSessionNotification } from "@acp-kit/schema/decode";
import { validateSessionNotification } from "@acp-kit/schema/validate";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, expectTypeOf, it } from "vitest";
import { subjects } from "./schemas.js";

const exported = subjects.flatMap(({ id, decoders, validators }) =>
  Object.entries({ ...decoders, ...validators })
    .filter(([name]) => /^(decode|validate)[A-Z]/.test(name))
    .map(([name, schema]) => ({ name: `${id} ${name}`, schema: schema as StandardSchemaV1 })),
);

it.each(exported)("$name is a Standard Schema", async ({ schema }) => {
  const { version, vendor, validate } = schema["~standard"];
  expect(version).toBe(1);
  expect(vendor).toBe("acp-kit");
  // An array with a string is invalid, except where any value is valid.
  const result = await validate(["not this"]);
  if (result.issues === undefined) {
    expect(result).toHaveProperty("value");
    return;
  }
  expect(result.issues.length).toBeGreaterThan(0);
  for (const { message, path } of result.issues) {
    expect(message).toMatch(/\S/);
    for (const key of path ?? []) expect(["string", "number"]).toContain(typeof key);
  }
});

describe("used through the Standard Schema interface", () => {
  async function read<Schema extends StandardSchemaV1>(
    schema: Schema,
    input: unknown,
  ): Promise<StandardSchemaV1.InferOutput<Schema>> {
    const result = await schema["~standard"].validate(input);
    if (result.issues !== undefined) throw new Error(result.issues[0]?.message);
    return result.value;
  }

  const message = { sessionId: "s", update: { sessionUpdate: "current_mode_update", currentModeId: "ask" } };

  it("decoders return values of the receiving type", async () => {
    const decoded = await read(decodeSessionNotification, message);
    expectTypeOf(decoded).toEqualTypeOf<IncomingSessionNotification>();
    expect(decoded).toEqual(message);
    await expect(read(decodeSessionNotification, {})).rejects.toThrow("must be a string (missing)");
  });

  it("validators return values of the sending type", async () => {
    const valid = await read(validateSessionNotification, message);
    expectTypeOf(valid).toEqualTypeOf<SessionNotification>();
    expect(valid).toEqual(message);
  });
});
