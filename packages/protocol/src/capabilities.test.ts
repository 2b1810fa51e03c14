import { describe, expect, test } from "vitest";
import { assertAgentCapability, assertClientCapability, hasCapability } from "./capabilities.js";

describe("INIT-13 a capability is on when it is true or any object", () => {
  const at = (value: unknown): boolean =>
    hasCapability({ sessionCapabilities: { list: value } }, "agentCapabilities.sessionCapabilities.list");

  test.each([[true], [{}], [{ _meta: {} }]])("%j is on", (value) => expect(at(value)).toBe(true));
  test.each([[undefined], [null], [false], ["yes"], [1], [0], [""]])("%j is off", (value) =>
    expect(at(value)).toBe(false),
  );

  test("a missing container is off, whatever stands there", () => {
    for (const capabilities of [undefined, null, {}, { sessionCapabilities: null }, { sessionCapabilities: true }, 5]) {
      expect(hasCapability(capabilities, "agentCapabilities.sessionCapabilities.list")).toBe(false);
    }
  });

  test("INIT-14 an empty elicitation container enables neither mode", () => {
    expect(hasCapability({ elicitation: {} }, "clientCapabilities.elicitation.form")).toBe(false);
    expect(hasCapability({ elicitation: { form: null, url: null } }, "clientCapabilities.elicitation.url")).toBe(false);
  });
});

describe("the path of a capability", () => {
  test.each(["loadSession", "bogus", "", "agentCapabilities", "capabilities.loadSession"])(
    "%j is refused, because every agent would seem to have it",
    (path) => expect(() => hasCapability({ loadSession: true }, path)).toThrow(TypeError),
  );

  test.each([
    ["loadSession", "agentCapabilities.loadSession"],
    ["image", "agentCapabilities.promptCapabilities.image"],
    ["agentCapabilities.loadSesion", "agentCapabilities.loadSession"],
    ["agentCapabilities.image", "agentCapabilities.promptCapabilities.image"],
    ["sessionCapabilities.lits", "agentCapabilities.sessionCapabilities.list"],
    ["bogus", undefined],
    ["clientCapabilities.terminal", undefined],
  ])("%j is unknown for an agent; %j is suggested", (path, suggestion) => {
    expect(() => assertAgentCapability(path)).toThrow(
      expect.objectContaining({ name: "InvalidOptionError", option: path, suggestion }),
    );
  });

  test("may be one of the methods that some agents call although the protocol does not define them", () => {
    expect(() => assertClientCapability("clientCapabilities.fs.deleteFile")).not.toThrow();
    expect(() => assertAgentCapability("agentCapabilities.auth.logout")).not.toThrow();
  });
});
