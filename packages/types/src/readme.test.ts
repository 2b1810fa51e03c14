import { expect, it } from "vitest";
import { hello, opens, question, textOf } from "./readme.examples.js";

it("reads what was asked, whatever a newer client put beside the text", () => {
  const params = { sessionId: "s-1", prompt: [hello, { type: "hologram", depth: 3 }] };
  expect(question(JSON.stringify(params))).toBe("Hello [hologram]");
});

it("says where a prompt is wrong", () => {
  expect(() => question('{"sessionId":"s-1","prompt":[{"type":"text"}]}')).toThrow("prompt[0].text");
});

it("is right about the table", () => {
  expect(opens).toEqual(["agent.loadSession"]);
  expect(textOf(hello)).toBe("Hello");
});
