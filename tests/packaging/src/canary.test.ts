import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { succeed } from "./commands.js";
import { allEntries } from "./entries.js";
import { installWithNpm } from "./install-with-npm.js";

const { npm: installed, tarballs } = inject("homes");
const specifiers = allEntries.map(({ specifier }) => specifier);

/** A supported version of Node, with its program if it is installed on this machine. */
interface SupportedNode {
  readonly major: number;
  readonly program?: string;
}

/** Returns the running Node and the other supported versions that `npm test -- nodes` finds. */
function supportedNodes(): SupportedNode[] {
  const code = `import { findNodes } from "./scripts/find-nodes.mjs"; process.stdout.write(JSON.stringify(findNodes()));`;
  const options = { cwd: root, encoding: "utf8" } as const;
  const others: SupportedNode[] = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", code], options),
  );
  return [{ major: Number(process.versions.node.split(".")[0]), program: process.execPath }, ...others];
}

describe.each(supportedNodes())("on Node $major", ({ major, program }) => {
  let scratch: string;
  // npm and the programs that it installs run on the first Node of the PATH.
  const env = { PATH: `${dirname(program ?? "")}${delimiter}${process.env.PATH}` };

  beforeAll(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-canary-")));
    if (program === undefined)
      console.log(`Node ${major}: not run, it isn't on this machine. \`npm run nodes\` installs it.`);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

  it.skipIf(program === undefined)("every package can be installed in an empty project, loaded and run", async () => {
    // The set-up of these tests has installed the packages with the running Node.
    const isRunning = program === process.execPath;
    const home = isRunning
      ? installed
      : await installWithNpm(join(scratch, "home"), tarballs, Object.keys(tarballs), env);

    // Before the imports, because one of the entries uses standard output for the protocol.
    const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`);
    writeFileSync(join(home, "loads.mjs"), ["console.log(process.versions.node);", ...imports].join("\n"));
    const loaded = await succeed([program ?? "", "loads.mjs"], home, env);
    expect(loaded.stdout.split(".")[0]).toBe(String(major));
    expect(loaded.stderr).toBe("");

    const kit = join(home, "node_modules", "acp-kit", "bin", "acp-kit.js");
    const run = [program ?? "", kit, "run", "Hello from a canary", "--", program ?? "", kit, "demo-agent"] as const;
    expect((await succeed(run, scratch, env)).stdout).toContain("Hello from a canary");
  });
});
