import { type IncomingSessionUpdate, isKnownSessionUpdate } from "@acp-kit/types";
import * as v2 from "@acp-kit/types/v2";
import { expect, expectTypeOf, it } from "vitest";
import { asV2Update } from "./v2-update.js";

const updateWith = (sessionUpdate: string): IncomingSessionUpdate =>
  ({ sessionUpdate }) as unknown as IncomingSessionUpdate;

it.each([
  "user_message",
  "agent_message",
  "agent_thought",
  "state_update",
  "tool_call_content_chunk",
  "terminal_update",
  "terminal_output_chunk",
  "plan_update",
])("types an update that only version 2 has: %s", (tag) => {
  const update = updateWith(tag);
  expect(v2.isKnownSessionUpdate(update as unknown as v2.IncomingSessionUpdate)).toBe(true);
  expect(isKnownSessionUpdate(update)).toBe(false);
  expect(asV2Update(update)).toBe(update);
});

it.each(["agent_message_chunk", "tool_call", "tool_call_update", "plan", "usage_update", "_vendor", "from_the_future"])(
  "leaves other updates to version 1: %s",
  (tag) => {
    expect(asV2Update(updateWith(tag))).toBeUndefined();
  },
);

it("narrows by the tag", () => {
  const update = asV2Update(updateWith("terminal_output_chunk"));
  if (update?.sessionUpdate === "terminal_output_chunk") expectTypeOf(update.data).toEqualTypeOf<string>();
  if (update?.sessionUpdate === "user_message") expectTypeOf(update.messageId).toEqualTypeOf<string>();
  expect(update?.sessionUpdate).toBe("terminal_output_chunk");
});
