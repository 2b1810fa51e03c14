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

  it.each([
    [{ concurrentPrompts: "rejct" }, 'must be "queue" or "reject" or "merge", not "rejct"; did you mean "reject"?'],
    [{ onPermission() {} }, '"onPermission" is unknown'],
    [{ limits: { requestTimeoutMS: 1 } }, '"limits.requestTimeoutMS" is unknown; did you mean "requestTimeoutMs"?'],
  ])("refuses the options %j", (options, problem) => {
    expect(() => create(good, options)).toThrow(problem);
  });

  it("refuses a callback that does not exist", () => {
    expect(() => create({ ...good, onCancel() {} })).toThrow('"onCancel" is unknown');
  });

  it("accepts further members of a class", () => {
    class Echo {
      readonly info = good.info;
      readonly sessions = new Map();
      newSession() {}
      async prompt() {}
      helper() {}
    }
    expect(() => create(new Echo())).not.toThrow();
  });
});
