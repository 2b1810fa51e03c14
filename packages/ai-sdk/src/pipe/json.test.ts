import { describe, expect, test } from "vitest";
import { AgentToolCalls } from "../model/agent-tool-calls.js";
import { fileBlock, outputContent } from "./blocks.js";
import { isDeeperThan, maxJsonDepth, messageOf, metaOf, toJson, toText } from "./json.js";

function nested(depth: number, inner: unknown = "x"): unknown {
  let value = inner;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

const tooDeep = `(nested more than ${maxJsonDepth} levels deep)`;

describe("a value of a tool or a model", () => {
  test("is converted to JSON, or to a text about the value", () => {
    const self: unknown[] = [];
    self.push(self);
    const twins: unknown[] = [];
    twins.push(twins, [twins], { twins });
    expect([undefined, null, 1, { a: [1] }, self, twins, 1n].map(toJson)).toEqual([
      undefined,
      null,
      1,
      { a: [1] },
      "",
      expect.any(String),
      "1",
    ]);
  });

  test("may contain bigints, and may have no prototype, like the rows of a database", () => {
    const row: Record<string, unknown> = Object.assign(Object.create(null), { id: 1n, name: "a" });
    expect(toJson([row])).toEqual([{ id: "1", name: "a" }]);
    row.self = row;
    expect(toJson(row)).toBe("[object Object]");
    expect(messageOf(row)).toBe("[object Object]");
  });

  test("hostile.deep-tool-values: is sent as text when it is nested too deep, and is indented only when it is nested little", () => {
    expect(toJson(nested(maxJsonDepth))).toEqual(nested(maxJsonDepth));
    for (const depth of [maxJsonDepth + 1, 10_000, 1_000_000]) {
      expect(toJson(nested(depth))).toBe(tooDeep);
      expect(toText(nested(depth))).toBe(tooDeep);
      expect(metaOf({ deep: nested(depth) })).toEqual({ _meta: { "ai-sdk": { deep: tooDeep } } });
      expect(outputContent(nested(depth))).toMatchObject([{ content: { text: tooDeep } }]);
    }
    expect(toText(nested(2))).toBe('{\n  "value": [\n    "x"\n  ]\n}');
    const wide = nested(maxJsonDepth - 1, new Array(100_000).fill(0));
    expect(toText(wide)?.length).toBe(JSON.stringify(wide).length);
  });

  test("hostile.deep-tool-values: in an agent's tool call is passed to the caller of a model in the same way", () => {
    const rawInput = nested(10_000);
    const parts = [
      ...new AgentToolCalls().take({
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "t",
        status: "completed",
        rawInput,
        rawOutput: rawInput,
      } as never),
    ];
    expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({ input: JSON.stringify(tooDeep) });
    expect(parts.find(({ type }) => type === "tool-result")).toMatchObject({ result: { output: tooDeep } });
  });

  test("hostile.deep-tool-values: is visited once, even if it contains an object several times", () => {
    for (const unit of ["data:", "data:,", ";base64", ";base64,", "/", "?", "#"]) {
      const url = unit.repeat(2 ** 22 / unit.length);
      for (const one of [url, `data:${url}`]) fileBlock({ type: "file", url: one });
    }
    expect(isDeeperThan(new Array(1_000_000).fill([]), 200)).toBe(false);
  });
});
