import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkOptions, type OptionKinds } from "./check-options.js";
import { type InvalidOptionError, isInvalidOptionError } from "./invalid-option-error.js";

const kinds: OptionKinds = {
  info: "value!",
  prompt: "function!",
  newSession: "function",
  loadSession: "function",
  authenticate: "function",
  authMethods: "value",
};
const good = { info: {}, prompt: () => {} };
const problemOf = (options: unknown, path?: string): InvalidOptionError | undefined => {
  try {
    checkOptions("createAgent", options, kinds, path);
    return undefined;
  } catch (error) {
    if (isInvalidOptionError(error)) return error;
    throw error;
  }
};

describe("checkOptions", () => {
  it("accepts what is complete, also with members that it doesn't know", () => {
    expect(problemOf(good)).toBeUndefined();
    expect(
      problemOf({ ...good, loadSession: undefined, authenticate: null, somethingNewer: () => {} }),
    ).toBeUndefined();
  });

  it.each([
    ["promt", "prompt"],
    ["Prompt", "prompt"],
    ["pormpt", "prompt"],
    ["loadSesion", "loadSession"],
    ["loadsessions", "loadSession"],
    ["newSesssion", "newSession"],
  ])("names the nearest option for %s", (wrong, right) => {
    const problem = problemOf({ info: {}, [wrong]: () => {} });
    expect(problem).toMatchObject({ caller: "createAgent", option: wrong, suggestion: right });
    expect(problem?.message).toBe(`createAgent: the option "${wrong}" is unknown; did you mean "${right}"?`);
  });

  it("suggests a value for a value and a function for a function", () => {
    expect(problemOf({ ...good, authMethod: [] })?.suggestion).toBe("authMethods");
    expect(problemOf({ ...good, authMethod: () => {} })).toBeUndefined();
    expect(problemOf({ ...good, authenticated: true })).toBeUndefined();
  });

  it("takes a similar name for another member where the option itself is there", () => {
    expect(problemOf({ ...good, prompts: () => {} })).toBeUndefined();
  });

  it("names what is missing or of the wrong kind, with its path", () => {
    expect(problemOf({ prompt: () => {} })?.message).toBe('createAgent: the option "info" is missing');
    expect(problemOf({ info: {}, prompt: "hi" })?.message).toBe(
      'createAgent: the option "prompt" must be a function, not string',
    );
    expect(problemOf({ info: {} }, "agent.")).toMatchObject({ option: "agent.prompt" });
    expect(problemOf(undefined)?.message).toBe('createAgent: the option "options" must be an object, not undefined');
    expect(problemOf(null, "agent.")?.message).toBe('createAgent: the option "agent" must be an object, not null');
  });

  it("leaves an object of a class its own members, and finds handlers on its prototype", () => {
    class Echo {
      readonly info = {};
      readonly promts = 0;
      prompt(): void {}
      loadSessions(): void {}
    }
    expect(problemOf(new Echo())).toBeUndefined();
  });

  it("is a TypeError", () => {
    expect(problemOf({})).toBeInstanceOf(TypeError);
  });

  it("never throws anything else, whatever the names are", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ maxLength: 2_000 }),
          fc.constantFrom(undefined, 1, () => {}),
        ),
        (extra) => {
          problemOf({ ...extra, ...good });
        },
      ),
    );
  });
});
