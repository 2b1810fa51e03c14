import type { CreateElicitationRequest } from "@acp-kit/types";
import { describe, expect, expectTypeOf, test } from "vitest";
import { prompt, withSession } from "../test/connect.js";
import type { FormAnswer } from "./elicit.js";
import type { Turn } from "./turn.js";

const ask = (turn: Turn) =>
  turn.elicit({
    message: "How shall it be deployed?",
    title: "Deploy",
    fields: {
      branch: { type: "string", title: "Branch" },
      replicas: { type: "integer" },
      size: { type: "string", enum: ["small", "large"] },
      zones: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      force: { type: "boolean" },
    },
    required: ["branch"],
  });

/** Returns the result of a form for a client's response, and the request that the client received. */
async function elicitWith(response: object): Promise<{ requested: CreateElicitationRequest[]; answers: unknown[] }> {
  const requested: CreateElicitationRequest[] = [];
  const answers: unknown[] = [];
  const { peer } = await withSession({
    capabilities: { elicitation: { form: {} } },
    client: (client) =>
      client.handle("elicitation/create", (params) => {
        requested.push(params as CreateElicitationRequest);
        return response as never;
      }),
    definition: {
      prompt: async (turn) => {
        answers.push(await ask(turn).catch((error: unknown) => error));
      },
    },
  });
  await prompt(peer);
  return { requested, answers };
}

describe("a form", () => {
  test("ELICIT-06 is sent as the protocol describes it", async () => {
    const { requested } = await elicitWith({ action: "cancel" });
    expect(requested[0]).toMatchObject({
      mode: "form",
      sessionId: "s1",
      message: "How shall it be deployed?",
      requestedSchema: { type: "object", title: "Deploy", required: ["branch"] },
    });
  });

  test("returns values, only of the fields in the request", async () => {
    const content = { branch: "main", replicas: 3, zones: ["a"], extra: "x" };
    const { answers } = await elicitWith({ action: "accept", content });
    expect(answers).toEqual([{ action: "accept", values: { branch: "main", replicas: 3, zones: ["a"] } }]);
  });

  test.each([
    [{ action: "decline" }, "decline"],
    [{ action: "cancel" }, "cancel"],
    [{ action: "_later" }, "cancel"],
  ])("with the response %j has no values", async (response, action) => {
    expect((await elicitWith(response)).answers).toEqual([{ action }]);
  });

  test.each([
    [{}, "content.branch: must be filled in: the value is missing"],
    [{ branch: 1 }, "content.branch: must be a string"],
    [{ branch: "x", replicas: 1.5 }, "content.replicas: must be an integer"],
    [{ branch: "x", size: "huge" }, "content.size: must be one of the values that were offered"],
    [{ branch: "x", zones: ["c"] }, "content.zones: must contain only values that were offered"],
    [{ branch: "x", force: "yes" }, "content.force: must be true or false"],
  ])("ELICIT-14 whose response has the content %j rejects", async (content, message) => {
    const { answers } = await elicitWith({ action: "accept", content });
    expect(answers).toEqual([expect.objectContaining({ name: "DecodeError", message })]);
  });

  test("CAP-16 is not sent if the client does not support forms", async () => {
    const errors: unknown[] = [];
    const { peer, sent } = await withSession({
      definition: { prompt: async (turn) => void (await ask(turn).catch((error: unknown) => errors.push(error))) },
    });
    await prompt(peer);
    expect(errors).toMatchObject([{ name: "CapabilityError", capability: "clientCapabilities.elicitation.form" }]);
    expect(sent).toHaveLength(1);
  });

  test("has the types of its fields", () => {
    type Answer = Awaited<ReturnType<typeof ask>>;
    type Values = Extract<Answer, { action: "accept" }>["values"];
    expectTypeOf<Answer>().toExtend<FormAnswer<unknown>>();
    expectTypeOf<Values["branch"]>().toEqualTypeOf<string>();
    expectTypeOf<Values["replicas"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Values["size"]>().toEqualTypeOf<"small" | "large" | undefined>();
    expectTypeOf<Values["zones"]>().toEqualTypeOf<string[] | undefined>();
    expectTypeOf<Values["force"]>().toEqualTypeOf<boolean | undefined>();
  });
});
