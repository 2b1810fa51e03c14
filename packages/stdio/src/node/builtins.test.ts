import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildSources } from "../../test/build-sources.js";
import { builtin } from "./builtins.js";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-builtins-"));
  buildSources(directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the built-in Node modules that a process has loaded after running `code`, beyond those it starts with. */
function loadedBy(code: string): string[] {
  const script = `const before = new Set(process.moduleLoadList);
    ${code}
    const loaded = process.moduleLoadList.filter((name) => !before.has(name));
    process.stdout.write(JSON.stringify(loaded));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: directory });
  return (JSON.parse(output.toString()) as string[]).map((name) => name.replace(/^NativeModule /, ""));
}

it("importing the package to start and serve agents loads no processes, streams or networking", () => {
  const use =
    'if (typeof (await import("./node/index.js")).spawnAgent !== "function") throw new Error("not imported");';
  const heavy = /^(child_process|stream|net|dgram|os|timers\/promises)$/;
  expect(loadedBy(use).filter((name) => heavy.test(name))).toEqual([]);
  expect(loadedBy(`${use} await import("node:child_process");`).filter((name) => heavy.test(name))).not.toEqual([]);
});

it("each is loaded on first use, and equals the imported one", async () => {
  expect(loadedBy('(await import("./node/builtins.js")).builtin("child_process");')).toContain("child_process");
  expect(builtin("fs")).toBe((await import("node:fs")).default);
  expect(builtin("timers/promises").setTimeout).toBe((await import("node:timers/promises")).setTimeout);
});
