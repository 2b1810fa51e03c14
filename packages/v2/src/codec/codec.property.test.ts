import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authMethodsToV1, authMethodsToV2 } from "./auth-methods.js";
import {
  agentCapabilitiesToV1,
  agentCapabilitiesToV2,
  clientCapabilitiesToV1,
  clientCapabilitiesToV2,
} from "./capabilities.js";
import { commandsToV1, commandsToV2 } from "./commands.js";
import { configOptionsToV1, configOptionsToV2 } from "./config-options.js";
import { contentToV1, contentToV2 } from "./content.js";
import { initializeFromV1, initializeFromV2, isV2Result } from "./initialize.js";
import type { LossKind } from "./loss.js";
import { mcpServersToV1, mcpServersToV2 } from "./mcp-servers.js";
import { modeOptionOf, optionOfModes } from "./modes.js";
import { planEntriesToV1 } from "./plan.js";
import { toolCallToV1, toolCallToV2 } from "./tool-call.js";

// Each value is of version 2. It is converted to version 1 and back, and what is lost is reported.

const text = fc.constantFrom("", "a", "b", "__proto__");
const meta = fc.option(fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 1 })), { nil: undefined });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/**
 * Makes values as `JSON.parse` does: without `undefined` members. The values are frozen, so a converter that changes
 * them throws.
 */
const json = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  arbitrary.map((value) => frozen(JSON.parse(JSON.stringify(value)) as Value));

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function noLoss(kind: LossKind): never {
  throw new Error(`Unexpected loss: ${kind}`);
}

const check = <Value>(arbitrary: fc.Arbitrary<Value>, property: (value: Value) => void): void => {
  fc.assert(
    fc.property(json(arbitrary), (value) => void property(value)),
    { numRuns: 200 },
  );
};

const unknown = fc.record({
  type: fc.constantFrom("_vendor", "future"),
  name: text,
  more: fc.jsonValue({ maxDepth: 1 }),
});

describe("a value of version 2, converted to version 1 and back, is the same:", () => {
  it("login methods", () => {
    const method = fc.oneof(
      fc.record({ type: fc.constant("agent"), methodId: text, name: text, description: optional(text), _meta: meta }),
      fc.record({
        type: fc.constant("terminal"),
        methodId: text,
        name: text,
        args: optional(fc.array(text)),
        env: optional(
          fc.uniqueArray(fc.record({ name: fc.constantFrom("A", "B"), value: text }), { selector: ({ name }) => name }),
        ),
      }),
      fc.record({ type: fc.constantFrom("_env_var", "_vendor"), methodId: text, name: text }),
    );
    check(fc.array(method, { maxLength: 3 }), (methods) => {
      expect(authMethodsToV2(authMethodsToV1(methods as never) as never)).toEqual(methods);
    });
  });

  it("MCP servers", () => {
    const server = fc.oneof(
      fc.record({
        type: fc.constant("stdio"),
        name: text,
        command: text,
        args: fc.array(text),
        env: fc.constant([]),
        _meta: meta,
      }),
      fc.record({ type: fc.constant("http"), name: text, url: fc.constant("https://a"), headers: fc.constant([]) }),
    );
    check(fc.array(server, { maxLength: 3 }), (servers) => {
      expect(mcpServersToV2(mcpServersToV1(servers as never) as never)).toEqual(servers);
    });
  });

  const value = fc.record({ value: text, name: text, description: optional(text) });
  const option = fc.oneof(
    fc.record({ type: fc.constant("boolean"), configId: text, name: text, currentValue: fc.boolean() }),
    fc.record({
      type: fc.constant("select"),
      configId: text,
      name: text,
      category: optional(text),
      currentValue: text,
      options: fc.oneof(
        fc.array(value, { minLength: 1, maxLength: 3 }),
        fc.array(fc.record({ groupId: text, name: text, options: fc.array(value, { minLength: 1, maxLength: 2 }) }), {
          minLength: 1,
          maxLength: 2,
        }),
      ),
    }),
  );

  it("options", () => {
    check(fc.array(option, { maxLength: 3 }), (options) => {
      const converted = configOptionsToV1(options as never, { booleans: true }, noLoss);
      expect(configOptionsToV2(converted as never, noLoss)).toEqual(options);
    });
  });

  it("commands", () => {
    const input = fc.record({ type: fc.constant("text"), hint: text });
    const command = fc.record({
      type: fc.constant("command"),
      name: text,
      description: text,
      input: optional(input),
      _meta: meta,
    });
    check(fc.array(command), (commands) =>
      expect(commandsToV2(commandsToV1(commands as never, noLoss))).toEqual(commands),
    );
  });

  it("the known content blocks", () => {
    const annotations = optional(
      fc.record({
        audience: optional(fc.array(fc.constantFrom("user", "assistant"))),
        priority: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    const block = fc.oneof(
      fc.record({ type: fc.constant("text"), text, annotations, _meta: meta }),
      fc.record({
        type: fc.constant("image"),
        data: fc.constant("AA=="),
        mimeType: text,
        uri: optional(fc.constant("https://a/b")),
      }),
      fc.record({ type: fc.constant("resource_link"), name: text, uri: fc.constant("file:///a"), size: fc.nat() }),
      fc.record({
        type: fc.constant("resource"),
        resource: fc.record({ uri: fc.constant("file:///a"), text }),
        annotations,
      }),
    );
    check(block, (content) =>
      expect(contentToV2(contentToV1(content as never, noLoss) as never, noLoss)).toEqual(content),
    );
  });

  it("tool calls without cleared members", () => {
    const call = fc.record({
      toolCallId: text,
      title: optional(text),
      kind: optional(fc.constantFrom("read", "execute", "other")),
      status: optional(fc.constantFrom("pending", "in_progress", "completed", "failed")),
      locations: optional(fc.array(fc.record({ path: text, line: optional(fc.integer({ min: 1, max: 9 })) }))),
      rawInput: optional(fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }))),
      _meta: meta,
      future: optional(text),
    });
    check(call, (update) => expect(toolCallToV2(toolCallToV1(update as never, noLoss), noLoss)).toEqual(update));
  });
});

describe("capabilities", () => {
  const marker = fc.constantFrom<unknown>(undefined, null, {});
  const isOn = (value: unknown): boolean => typeof value === "object" && value !== null;

  it("of an agent have the same meaning in version 1 and after the way back", () => {
    const session = fc.record({
      prompt: fc.option(fc.record({ image: marker, audio: marker, embeddedContext: marker })),
      mcp: fc.option(fc.record({ stdio: marker, http: marker })),
      delete: marker,
      additionalDirectories: marker,
    });
    check(fc.record({ session }), (capabilities) => {
      const converted = agentCapabilitiesToV1(capabilities as never, false);
      expect(converted.loadSession).toBe(true);
      expect(converted.promptCapabilities?.image).toBe(isOn(capabilities.session.prompt?.image));
      const back = agentCapabilitiesToV2(converted).session;
      expect(isOn(back?.prompt?.image)).toBe(isOn(capabilities.session.prompt?.image));
      expect(isOn(back?.mcp?.http)).toBe(isOn(capabilities.session.mcp?.http));
      expect(isOn(back?.delete)).toBe(isOn(capabilities.session.delete));
    });
    expect(agentCapabilitiesToV1({}, false)).toMatchObject({ loadSession: false, sessionCapabilities: {}, auth: {} });
  });

  it("of a client are the same after the way to version 1 and back, but for `_meta.terminal_output`", () => {
    const elicitation = fc.constantFrom(undefined, {}, { form: {} }, { form: {}, url: {} });
    check(
      fc.record({ auth: fc.constantFrom(undefined, { terminal: {} }), elicitation, _meta: meta }),
      (capabilities) => {
        const back = clientCapabilitiesToV2(clientCapabilitiesToV1(capabilities as never), noLoss);
        expect(back).toEqual({ ...capabilities, _meta: { ...capabilities._meta, terminal_output: true } });
      },
    );
  });
});

describe("initialize", () => {
  it("for both versions keeps every member of the client", () => {
    const params = { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } }, _meta: { a: 1 } };
    expect(initializeFromV1(params, 2)).toEqual({
      ...params,
      protocolVersion: 2,
      info: { name: "unknown", version: "unknown" },
      capabilities: {},
    });
    const second = { protocolVersion: 2, info: { name: "c", version: "1" }, capabilities: {}, extra: 1 };
    expect(initializeFromV2(second, 1)).toMatchObject({ ...second, protocolVersion: 1, clientInfo: second.info });
  });

  it("is of version 2 only with `info` and without the capabilities of version 1", () => {
    const info = { name: "a", version: "1" };
    expect(isV2Result({ protocolVersion: 2, info })).toBe(true);
    for (const result of [
      null,
      "2",
      { protocolVersion: 1, info },
      { protocolVersion: 2 },
      { protocolVersion: 2, info, agentCapabilities: {} },
    ])
      expect(isV2Result(result)).toBe(false);
  });
});

describe("modes", () => {
  it("become an option and are found again", () => {
    const modes = fc.uniqueArray(
      fc.record({ id: fc.constantFrom("a", "b", "c"), name: text, description: optional(text) }),
      {
        selector: ({ id }) => id,
        minLength: 1,
      },
    );
    check(modes, (availableModes) => {
      const state = { currentModeId: availableModes[0]?.id ?? "", availableModes };
      const option = optionOfModes(state as never, [
        { configId: "mode", name: "x", type: "boolean", currentValue: true },
      ]);
      expect(option?.configId).toBe("_acp-kit_mode");
      expect(modeOptionOf([option as never])).toEqual({ configId: "_acp-kit_mode", modes: state });
    });
    expect(optionOfModes({ currentModeId: "a", availableModes: [] }, [])).toBeUndefined();
  });
});

describe("what version 1 does not have", () => {
  it("is left out or replaced, and reported", () => {
    const lost: LossKind[] = [];
    const report = (kind: LossKind): void => void lost.push(kind);
    check(unknown, (value) => {
      lost.length = 0;
      expect(commandsToV1([value as never], report)).toEqual([]);
      expect(configOptionsToV1([value as never], { booleans: true }, report)).toEqual([]);
      expect(contentToV1(value as never, report).type).toBe("text");
      expect(() => mcpServersToV1([value as never])).toThrow("not supported");
      expect(lost).toEqual(["command", "config_option", "content"]);
    });
    expect(planEntriesToV1([{ content: "", priority: "_p", status: "_s" }], report)).toEqual([
      { content: "", priority: "medium", status: "pending" },
    ]);
  });

  it("in version 2, options without values are left out, and priorities are limited", () => {
    const lost: LossKind[] = [];
    const empty = { type: "select", id: "a", name: "A", currentValue: "", options: [] };
    expect(configOptionsToV2([empty as never], (kind) => void lost.push(kind))).toEqual([]);
    expect(
      contentToV2({ type: "text", text: "", annotations: { priority: 7 } }, (kind) => void lost.push(kind)),
    ).toMatchObject({ annotations: { priority: 1 } });
    expect(lost).toEqual(["config_option", "annotations"]);
  });
});
