import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { notTestableForAgents } from "../agent/not-testable.js";
import { requirements } from "../requirements/requirements.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the README's figures are true", () => {
  expect(readme).toContain(`${requirements.length} of them`);
  expect(Object.keys(notTestableForAgents).length).toBeGreaterThan(0);
});
