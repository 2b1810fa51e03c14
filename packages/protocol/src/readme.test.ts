/// <reference types="node" />
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { talk } from "./readme.examples.js";
import { requestTimeoutDefaults } from "./request-timeouts.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");

test("the README shows the example that is compiled and run here", () => {
  const [shown] = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code]) => code);
  expect(shown).toBe(read("./readme.examples.ts"));
});

test("the example does what it says", async () => {
  expect(await talk()).toEqual([
    [{ sessionId: "s-1", cwd: "/work" }],
    { hello: "there" },
    "session/delete needs agentCapabilities.sessionCapabilities.delete, which the peer did not advertise",
  ]);
});

test("the README names every entry point and every default", () => {
  const { exports } = JSON.parse(read("../package.json")) as { exports: Record<string, unknown> };
  for (const subpath of Object.keys(exports)) expect(readme).toContain(`\`@acp-kit/protocol${subpath.slice(1)}\``);
  for (const [name, value] of Object.entries(requestTimeoutDefaults)) {
    expect(readme).toContain(`\`${name}\` (${value.toLocaleString("en")})`);
  }
});
