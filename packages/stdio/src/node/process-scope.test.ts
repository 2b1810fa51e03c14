import { expect, it } from "vitest";
import { currentScope, relateScope } from "./process-scope.js";

const here = { machine: "m", boot: "b", namespace: "pid:[1]" };

it.each([
  ["the same namespace of this start of the system", here, "same"],
  ["another namespace of it: a container", { ...here, namespace: "pid:[2]" }, "another"],
  ["another namespace of it with a machine id of its own", { ...here, machine: "c", namespace: "pid:[2]" }, "another"],
  ["an earlier start of this system", { ...here, boot: "a" }, "past"],
  ["an earlier start of a system without a machine id", { ...here, boot: "a", machine: "" }, "past"],
  ["another machine, over a file server", { ...here, boot: "a", machine: "n" }, "another"],
] as const)("classifies the pids of %s", (_, scope, relation) => {
  expect(relateScope(scope, here)).toBe(relation);
});

it("names this process's scope the same way each time", () => {
  expect(relateScope(currentScope(), currentScope())).toBe("same");
});
