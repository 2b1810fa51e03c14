import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packages } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { node, run } from "./commands.js";

const { npm: home } = inject("homes");
const program = join(home, "throws.mjs");

/** Matches a frame of a stack trace in one of our packages: its file, and its line. */
const frameIn = (trace: string, folder: string) =>
  new RegExp(`node_modules[/\\\\](@acp-kit[/\\\\][\\w-]+)[/\\\\](${folder}[^\\s:]+):(\\d+):\\d+\\)`).exec(trace) ?? [];

describe("an error thrown inside a package", () => {
  beforeAll(() => {
    const lines = [`import { spawnAgent } from "@acp-kit/stdio/node";`, `spawnAgent({ command: "" });`];
    writeFileSync(program, lines.join("\n"));
  });

  it("has the throwing statement and the function names in its stack trace", async () => {
    const { stderr } = await run(node(program), home);
    const [, name = "", path = "", line] = frameIn(stderr, "dist");
    const thrown = readFileSync(join(home, "node_modules", name, path), "utf8").split("\n")[Number(line) - 1] ?? "";
    expect(thrown.trim()).toMatch(/^throw new TypeError\(.+\);$/);
    expect(stderr).toContain(`\n${thrown}\n`);
    expect(stderr).toMatch(/at new AgentProcess .+\n +at spawnAgent /);
  });

  it("has the line of the TypeScript source in its stack trace under --enable-source-maps", async () => {
    const { stderr } = await run(node("--enable-source-maps", program), home);
    const [, name = "", path = "", line] = frameIn(stderr, "src");
    const { directory } = packages().find((package_) => package_.name === name.replace("\\", "/")) ?? { directory: "" };
    const thrown = readFileSync(join(directory, path), "utf8").split(/\r?\n/)[Number(line) - 1] ?? "";
    expect(thrown.trim()).toMatch(/^throw new TypeError\(.+\);$/);
    expect(stderr).toContain(`\n${thrown}\n`);
  });
});

describe.each(Object.keys(packageBoundaries))("the code of %s", (name) => {
  const folder = join(home, "node_modules", name);
  const { directory } = packages().find((package_) => package_.name === name) ?? { directory: "" };
  // The validators are minified by ajv and have no source.
  // The page of the inspector is minified with its libraries, for browsers.
  const files = filesBelow(folder, []).filter((path) => /^dist\/(?!page\/).+(?<!\bvalidate)\.js$/.test(path));

  it("has short lines", () => {
    for (const path of files) {
      const lines = readFileSync(join(folder, path), "utf8").split("\n");
      const indented = lines.filter((line) => /^ {2,}\S/.test(line));
      expect(lines.length < 50 || indented.length > lines.length / 4, path).toBe(true);
    }
  });

  it("has source maps that name the sources and contain them, apart from generated ones", () => {
    for (const path of files) {
      const text = readFileSync(join(folder, path), "utf8");
      const [, url] = /(?:^|\n)\/\/# sourceMappingURL=(.+)\n?$/.exec(text) ?? [];
      const map = JSON.parse(readFileSync(resolve(folder, dirname(path), url ?? ""), "utf8"));
      expect(map.sourcesContent).toHaveLength(map.sources.length);
      for (const [index, source] of map.sources.entries()) {
        const file = resolve(directory, dirname(path), source);
        expect(existsSync(file), `${path} names ${source}`).toBe(true);
        const expected = source.includes(".gen.") ? null : readFileSync(file, "utf8");
        expect(map.sourcesContent[index]).toBe(expected);
      }
    }
  });
});
