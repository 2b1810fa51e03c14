import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { npm, succeed } from "./commands.js";
import { allEntries } from "./entries.js";

const { tarballs } = inject("homes");
const specifiers = allEntries.map(({ specifier }) => specifier);

/** A supported version of Node, with its program where it is on this machine. */
interface SupportedNode {
  readonly major: number;
  readonly program?: string;
}

/** The running Node and the other supported ones, as `npm test -- nodes` finds them. */
function supportedNodes(): SupportedNode[] {
  const code = `import { findNodes } from "./scripts/find-nodes.mjs"; process.stdout.write(JSON.stringify(findNodes()));`;
  const options = { cwd: root, encoding: "utf8" } as const;
  const others: SupportedNode[] = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", code], options),
  );
  return [{ major: Number(process.versions.node.split(".")[0]), program: process.execPath }, ...others];
}

describe.each(supportedNodes())("on Node $major", ({ major, program }) => {
  let home: string;
  // npm and the programs that it installs run on the first Node of the PATH.
  const env = { PATH: `${dirname(program ?? "")}${delimiter}${process.env.PATH}` };

  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-canary-")));
    if (program === undefined)
      console.log(`Node ${major}: not run, it isn't on this machine. \`npm run nodes\` installs it.`);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));

  it.skipIf(program === undefined)("every package installs in an empty project, loads and runs", async () => {
    const dependencies = Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`]));
    const manifest = { private: true, type: "module", dependencies, overrides: dependencies };
    writeFileSync(join(home, "package.json"), JSON.stringify(manifest));
    const quick = ["--prefer-offline", "--no-audit", "--no-fund"];
    await succeed(npm("install", "--engine-strict", ...quick), home, env);

    // Before the imports, one of which takes standard output for the protocol.
    const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`);
    writeFileSync(join(home, "loads.mjs"), ["console.log(process.versions.node);", ...imports].join("\n"));
    const loaded = await succeed([program ?? "", "loads.mjs"], home, env);
    expect(loaded.stdout.split(".")[0]).toBe(String(major));
    expect(loaded.stderr).toBe("");

    const kit = join(home, "node_modules", "acp-kit", "bin", "acp-kit.js");
    const folder = join(home, "work");
    mkdirSync(folder);
    const run = [program ?? "", kit, "run", "Hello from a canary", "--", program ?? "", kit, "demo-agent"] as const;
    expect((await succeed(run, folder, env)).stdout).toContain("Hello from a canary");
  });
});
