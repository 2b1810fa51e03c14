import { expect, it } from "vitest";
import { hello, opens, question, textOf } from "./readme.examples.js";

it("reads the prompt, ignoring anything a newer client added", () => {
  const params = { sessionId: "s-1", prompt: [hello, { type: "hologram", depth: 3 }] };
  expect(question(JSON.stringify(params))).toBe("Hello [hologram]");
});

it("reports where a prompt is invalid", () => {
  expect(() => question('{"sessionId":"s-1","prompt":[{"type":"text"}]}')).toThrow("prompt[0].text");
});

it("is right about the table", () => {
  expect(opens).toEqual(["agent.loadSession"]);
  expect(textOf(hello)).toBe("Hello");
});
