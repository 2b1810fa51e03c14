import { expect, it } from "vitest";
import { readArguments, usageOf } from "./arguments.js";

it("serves by default", () => {
  expect(readArguments([])).toMatchObject({ run: "serve", auth: false, store: undefined });
  expect(readArguments(["--help"])).toEqual({ run: "help" });
  expect(readArguments(["--version"])).toEqual({ run: "version" });
  expect(readArguments(["--store", "x", "--auth", "--login"])).toEqual({ run: "login", store: "x" });
});

it("reads every option that the help lists", () => {
  const args = ["--store", "x", "--auth", "--page-size", "3", "--pace", "0", "--concurrent", "merge"];
  const expected = { run: "serve", store: "x", auth: true, pageSize: 3, paceMs: 0, concurrentPrompts: "merge" };
  expect(readArguments(args)).toEqual(expected);
  const named = [...usageOf("x").matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(args.filter((word) => word.startsWith("--"))));
});

it.each([
  [["--login"], "--login needs --store DIR"],
  [["--pace", "fast"], "--pace needs a whole number of 0 or more"],
  [["--page-size", "0"], "--page-size needs a whole number of 1 or more"],
  [["--concurrent", "maybe"], "--concurrent needs one of queue, reject, merge"],
  [["--colour"], "Unknown option '--colour'"],
])("refuses %j with the reason", (args, problem) => {
  expect(readArguments(args)).toEqual({ run: "fail", problem: expect.stringContaining(problem) });
});
