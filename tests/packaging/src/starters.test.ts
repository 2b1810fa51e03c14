import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, inject, it } from "vitest";
import { node, npm, succeed } from "./commands.js";
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
  });
});

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
