import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { node, npm, run, succeed } from "./commands.js";
import { fileSpecifiers } from "./install-with-npm.js";

const { npm: home, tarballs } = inject("homes");
let scratch: string;
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-starters-")));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

// At the same time, because a check of conformance mostly waits.
describe.concurrent.each(["create-acp-agent", "create-acp-client"])("%s", (starter) => {
  const name = starter.replace("create-acp", "my");

  it("creates a project that passes its tests, builds and is conformant, with only its own dependencies", async () => {
    await succeed(node(join(home, "node_modules", starter, "bin", `${starter}.js`), name), scratch);
    const project = join(scratch, name);
    installFromTarballs(project);
    await succeed(npm("install", "--prefer-offline", "--no-audit", "--no-fund"), project);
    await succeed(npm("test"), project);
    await succeed(npm("run", "build"), project);
    await succeed(npm("run", "conformance"), project);
    if (starter === "create-acp-client") await checkErrors(project);
  });
});

/**
 * Checks that the client reports a wrong command line, and an agent that does not start, in a sentence without a stack
 * trace.
 */
async function checkErrors(project: string): Promise<void> {
  const client = (...args: string[]) => run(node("dist/main.js", ...args), project);
  const usage = "Usage: my-client --prompt <text> [--cwd <folder>] -- <agent command>\n";
  expect(await client("--help")).toEqual({ status: 0, stdout: usage, stderr: "" });
  expect(await client()).toEqual({ status: 2, stdout: "", stderr: usage });
  const wrong = await client("--promt", "Hello", "--", "agent");
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Unknown option '--promt'.*\nUsage: .*\n$/),
  });
  const missing = await client("--prompt", "Hello", "--", "no-such-agent");
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Error: .*no-such-agent.*\n$/) });
}

/** Our packages are installed from tarballs, because no registry has them yet. */
function installFromTarballs(project: string): void {
  const path = join(project, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const specifiers = fileSpecifiers(tarballs);
  for (const list of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(list)) list[name] = specifiers[name] ?? list[name];
  }
  writeFileSync(path, JSON.stringify({ ...manifest, overrides: specifiers }, undefined, 2));
}
