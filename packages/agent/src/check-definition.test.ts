import { describe, expect, it } from "vitest";
import { createAgent } from "./create-agent.js";

const create = createAgent as (definition?: unknown, options?: unknown) => unknown;
const good = { info: { name: "a", version: "1" }, newSession() {}, async prompt() {} };

describe("createAgent in plain JavaScript", () => {
  it.each([
    [{ ...good, prompt: undefined, promt() {} }, '"promt" is unknown; did you mean "prompt"?'],
    [{ ...good, newSession: undefined }, '"newSession" is missing'],
    [{ ...good, loadsession() {} }, '"loadsession" is unknown; did you mean "loadSession"?'],
    [{ ...good, authMethod: [] }, '"authMethod" is unknown; did you mean "authMethods"?'],
    [{ ...good, setSessionMode: {} }, '"setSessionMode" must be a function, not object'],
    [{ ...good, info: undefined }, '"info" is missing'],
    [{ ...good, info: { name: "a" } }, '"info.version" is missing'],
    [{ ...good, info: "a" }, '"info" must be an object, not string'],
    [undefined, '"options" must be an object, not undefined'],
  ])("refuses %j", (definition, problem) => {
    expect(() => create(definition)).toThrow(
      expect.objectContaining({ name: "InvalidOptionError", message: `createAgent: the option ${problem}` }),
    );
  });

  it("strict.options-are-checked: refuses a misspelt option by name, with the nearest one", () => {
    expect(() => create(good, { onDiagnostics() {} })).toThrow('did you mean "onDiagnostic"?');
  });

  it("accepts further members of a class", () => {
    expect(() => create({ ...good, helper() {}, sessions: new Map() })).not.toThrow();
  });
});
