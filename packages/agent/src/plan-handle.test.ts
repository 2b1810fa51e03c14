import type { PlanEntry } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { PlanHandle } from "./plan-handle.js";

function planOf(...texts: string[]): { readonly plan: PlanHandle; readonly sent: (readonly PlanEntry[])[] } {
  const sent: (readonly PlanEntry[])[] = [];
  const plan = new PlanHandle(texts, (entries) => void sent.push(entries));
  return { plan, sent };
}

const statuses = (entries: readonly PlanEntry[] = []) => entries.map(({ content, status }) => `${content}: ${status}`);

describe("a plan", () => {
  test("PLAN-04 is sent whole after each edit", () => {
    const { plan, sent } = planOf("read", "fix");
    void plan.start(0);
    void plan.complete(0);
    void plan.add({ content: "test", priority: "high" }, 1);
    void plan.remove(2);
    expect(sent.map(statuses)).toEqual([
      ["read: in_progress", "fix: pending"],
      ["read: completed", "fix: pending"],
      ["read: completed", "test: pending", "fix: pending"],
      ["read: completed", "test: pending"],
    ]);
    expect(plan.entries[1]).toEqual({ content: "test", priority: "high", status: "pending" });
  });

  test("is sent once after several edits in one", () => {
    const { plan, sent } = planOf("read", "fix");
    void plan.edit((editing) => {
      void editing.complete(0);
      void editing.start(1);
    });
    expect(sent.map(statuses)).toEqual([["read: completed", "fix: in_progress"]]);
  });

  test("doesn't change what was sent before", () => {
    const { plan, sent } = planOf("read");
    void plan.start(0);
    void plan.complete(0);
    expect(statuses(sent[0])).toEqual(["read: in_progress"]);
  });

  test.each([-1, 1, 1.5])("has no entry at %s, and says so", (index) => {
    const { plan, sent } = planOf("read");
    expect(() => plan.complete(index)).toThrow(
      new RangeError(`The plan has 1 entries, but no entry at the index ${index}`),
    );
    expect(() => plan.remove(index)).toThrow(RangeError);
    expect(sent).toEqual([]);
  });
});
