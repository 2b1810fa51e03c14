import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the README states the number of rules", () => {
  expect(readme).toContain(`${requirements.length} of them`);
});
