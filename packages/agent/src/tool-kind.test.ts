import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, test } from "vitest";
import { toolKind } from "./tool-kind.js";

describe("the kind of a tool, by its name", () => {
  test.each([
    ["read_file", "read"],
    ["ReadFile", "read"],
    ["write", "edit"],
    ["apply_patch", "edit"],
    ["ApplyPatch", "edit"],
    ["MultiEdit", "edit"],
    ["glob", "search"],
    ["grep_search", "search"],
    ["tool_search", "search"],
    ["bash", "execute"],
    ["run-command", "execute"],
    ["web_search", "fetch"],
    ["WebFetch", "fetch"],
    ["skill", "think"],
    ["TodoWrite", "other"],
    ["write_todos", "other"],
    ["question", "other"],
    ["task", "other"],
    ["mcp__github__create_issue", "other"],
    ["delete_file", "delete"],
    ["rename", "move"],
    ["ExitPlanMode", "switch_mode"],
    ["frobnicate", "other"],
    ["", "other"],
    ["constructor", "other"],
  ])("%s is %s", (name, kind) => {
    expect(toolKind(name)).toBe(kind);
  });

  test("is the override, first of all", () => {
    expect(toolKind("deploy", { deploy: "execute" })).toBe("execute");
    expect(toolKind("read_file", { read_file: "other" })).toBe("other");
    expect(toolKind("toString", {})).toBe("other");
  });

  test.each([
    ["capitals", "aB"],
    ["no letters", "-"],
    ["words", "x-"],
    ["letters", "x"],
  ])("hostile.linear-text: a name of %s is read in linear time", async (_, unit) => {
    expect(toolKind(unit.repeat(100_000))).toBe("other");
    expect(await growthOf((size) => toolKind(unit.repeat(size)))).toBeLessThan(LINEAR);
  });
});
