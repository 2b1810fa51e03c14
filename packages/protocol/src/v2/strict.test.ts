import { expect, test } from "vitest";
import { checkV2Agent, checkV2Client } from "./strict.js";

test("V2-REQ-35: values that match the schema of version 2 pass", () => {
  expect(checkV2Client("session/new", "params", { cwd: "/work" })).toEqual([]);
  expect(checkV2Agent("session/prompt", "result", { messageId: "m" })).toEqual([]);
});

test("V2-REQ-35: a value of version 1 that version 2 does not allow is reported with its path", () => {
  expect(checkV2Agent("session/prompt", "result", { stopReason: "end_turn" })).toMatchObject([{ path: ["messageId"] }]);
  const params = { sessionId: "s", configId: "mode", value: "plan" };
  expect(checkV2Client("session/set_config_option", "params", params)).not.toEqual([]);
});
