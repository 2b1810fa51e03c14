import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installSources, toJavaScript } from "../../test/build-sources.js";
import { greet } from "./readme-client.examples.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");
const agentExample = read("./readme-agent.examples.ts");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-readme-"));
  installSources(directory);
  writeFileSync(join(directory, "agent.mjs"), toJavaScript(agentExample));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("the README", () => {
  it("shows the examples that are compiled and run here", () => {
    const shown = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, example]) => example);
    expect(shown).toEqual([read("./readme-client.examples.ts"), agentExample]);
  });

  it("names every entry point", () => {
    const { exports } = JSON.parse(read("../../package.json")) as { exports: Record<string, unknown> };
    for (const subpath of Object.keys(exports)) expect(readme).toContain(`\`@acp-kit/stdio${subpath.slice(1)}\``);
  });
});

describe("the examples", () => {
  it("talk to each other", async () => {
    expect(await greet(process.execPath, [join(directory, "agent.mjs")])).toBe("Hello, Ada!");
  });

  it("report an agent that does not exist", async () => {
    expect(await greet("no-such-agent", [])).toMatch(/^not_found: Can't find the command "no-such-agent"/);
  });
});
