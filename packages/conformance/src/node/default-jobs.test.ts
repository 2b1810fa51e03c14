import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { defaultJobs } from "./default-jobs.js";

test("there is a worker for each processor, up to 8, and one if the peers could disturb each other", () => {
  const command = { command: "agent" };
  expect(defaultJobs(command, "own")).toBe(Math.min(availableParallelism(), 8));
  expect(defaultJobs(command, "shared")).toBe(1);
  expect(defaultJobs(() => {}, "own")).toBe(1);
});
