import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkOptions, type OptionKinds } from "./check-options.js";
import { type InvalidOptionError, isInvalidOptionError } from "./invalid-option-error.js";

interface Options {
  info: object;
  prompt: () => void;
  newSession?: () => void;
  loadSession?: () => void;
  authenticate?: () => void;
  authMethods?: readonly unknown[];
  concurrentPrompts?: "queue" | "reject";
}

const kinds: OptionKinds<Options> = {
  info: "value!",
  prompt: "function!",
  newSession: "function",
  loadSession: "function",
  authenticate: "function",
  authMethods: "value",
  concurrentPrompts: ["queue", "reject"],
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
  it("accepts what is complete, also with members that are undefined", () => {
    expect(problemOf(good)).toBeUndefined();
    expect(
      problemOf({
        ...good,
        loadSession: undefined,
        authenticate: null,
        unknown: undefined,
        concurrentPrompts: "reject",
      }),
    ).toBeUndefined();
  });

  it.each([
    ["promt", "prompt"],
    ["Prompt", "prompt"],
    ["pormpt", "prompt"],
    ["loadSesion", "loadSession"],
    ["loadsessions", "loadSession"],
    ["newSesssion", "newSession"],
    ["nwSesion", "newSession"],
    ["authenticated", "authenticate"],
    ["authMethod", "authMethods"],
    ["concurentPrompt", "concurrentPrompts"],
  ])("names the nearest option for %s", (wrong, right) => {
    const problem = problemOf({ info: {}, [wrong]: () => {} });
    expect(problem).toMatchObject({ caller: "createAgent", option: wrong, suggestion: right });
    expect(problem?.message).toBe(`createAgent: the option "${wrong}" is unknown; did you mean "${right}"?`);
  });

  it("refuses an option that is similar to none, and does not suggest one that is given", () => {
    expect(problemOf({ ...good, somethingNewer: () => {} })?.message).toBe(
      'createAgent: the option "somethingNewer" is unknown',
    );
    expect(problemOf({ ...good, prompts: () => {} })).toMatchObject({ option: "prompts", suggestion: undefined });
    expect(problemOf({ ...good, ["x".repeat(100_000)]: 1 })?.message.length).toBeLessThan(120);
  });

  it("accepts unknown values of open options, but no misspelt ones and no unknown callbacks", () => {
    const open = (options: object) => () => checkOptions("spawn", options, kinds, "", { isOpen: true });
    expect(open({ ...good, somethingNewer: 1 })).not.toThrow();
    expect(open({ ...good, authMethod: [] })).toThrow('did you mean "authMethods"?');
    expect(open({ ...good, onSomething() {} })).toThrow('"onSomething" is unknown');
  });

  it("refuses a value that is not one of the listed ones", () => {
    expect(problemOf({ ...good, concurrentPrompts: "rejct" })?.message).toBe(
      'createAgent: the option "concurrentPrompts" must be "queue" or "reject", not "rejct"; did you mean "reject"?',
    );
    expect(problemOf({ ...good, concurrentPrompts: true })?.message).toContain('"queue" or "reject", not true');
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
