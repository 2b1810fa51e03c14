import { expect, it } from "vitest";
import { authMethodsToV1, authMethodsToV2 } from "./auth-methods.js";
import type { LossKind } from "./loss.js";
import { toolCallToV1 } from "./tool-call.js";

const names = ["constructor", "toString", "__proto__"];

it.each(names)("a cleared member named %s has no value of version 1", (name) => {
  const lost: LossKind[] = [];
  const call = JSON.parse(`{"toolCallId":"c","${name}":null}`);
  const converted = toolCallToV1(call, (kind) => lost.push(kind));
  expect(Object.entries(converted)).toEqual([["toolCallId", "c"]]);
  expect(lost).toEqual(["tool_call_clear"]);
});

it("a member named __proto__ of a tool call stays a member", () => {
  const call = JSON.parse('{"toolCallId":"c","__proto__":{"title":"forged"}}');
  const converted = toolCallToV1(call, () => {});
  expect(JSON.stringify(converted)).toBe('{"toolCallId":"c","__proto__":{"title":"forged"}}');
  expect(converted.title).toBeUndefined();
});

it.each(names)("a login method of the type %s keeps its type", (type) => {
  const [v2] = authMethodsToV2([{ id: "a", name: "A", type } as never]);
  expect(v2).toEqual({ methodId: "a", name: "A", type });
  const [v1] = authMethodsToV1([{ methodId: "a", name: "A", type } as never]);
  expect(v1).toEqual({ id: "a", name: "A", type });
});
