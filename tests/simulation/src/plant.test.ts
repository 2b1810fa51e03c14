import { describe, expect, test } from "vitest";
import { plant } from "./plant.js";

const source = `
class Queue {
  add(entry: Entry): void {
    if (this.isFull()) return;
    this.list.push(entry, { at: 1 }); // appended
  }
  take(): Entry { if (this.isFull()) return; }
}
function add(): number;
function add(): number { return 1 + 2; }
`;
const change = { file: "queue.ts", in: "Queue.add", from: "if (this.isFull()) return;", to: "" };

describe("a planted mistake", () => {
  test("replaces a statement of the named method", () => {
    expect(plant(source, change)).toContain("void {\n    \n    this.list.push(entry, { at: 1 });");
    expect(plant(source, change)).toContain("take(): Entry { if (this.isFull()) return; }");
  });

  test("replaces an expression or a parameter", () => {
    expect(plant(source, { ...change, from: "{ at: 1 }", to: "{ at: 2 }" })).toContain("push(entry, { at: 2 });");
    expect(plant(source, { ...change, from: "entry: Entry", to: "entry: never" })).toContain("add(entry: never): void");
    expect(plant(source, { ...change, in: "add", from: "2", to: "3" })).toContain("return 1 + 3;");
  });

  test("is found after the source was formatted in another way", () => {
    const reformatted = source.replace(
      "this.list.push(entry, { at: 1 });",
      "this.list.push(\n entry, /* it */\n { at: 1, },\n)",
    );
    const planted = plant(reformatted, { ...change, from: "this.list.push(entry, { at: 1 });", to: "return" });
    expect(planted).toMatch(/if \(this.isFull\(\)\) return;\s+return/);
  });

  test.each([
    [{ in: "Queue.remove" }, "queue.ts has 0 functions Queue.remove, not 1"],
    [{ from: "if (this.isEmpty()) return;" }, "Queue.add in queue.ts has 0 nodes `if (this.isEmpty()) return;`, not 1"],
    [{ from: "entry" }, "Queue.add in queue.ts has 2 nodes `entry`, not 1"],
  ])("%o that is not there exactly once is an error", (part, message) => {
    expect(() => plant(source, { ...change, ...part })).toThrow(message);
  });
});
