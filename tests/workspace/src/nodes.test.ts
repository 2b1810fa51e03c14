import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/find-nodes.mjs", import.meta.url));
const current = Number(process.versions.node.split(".")[0]);
const others = [20, 22, 24].filter((major) => major !== current);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-nodes-"));
  for (const major of others) writeNode(String(major), `v${major}.99.0`);
  writeNode("broken", "not a version");
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Creates a folder with a program that reports this version of Node. */
function writeNode(folder: string, version: string): void {
  mkdirSync(join(directory, folder));
  const program = join(directory, folder, "node");
  writeFileSync(program, `#!/bin/sh\necho ${version}\n`);
  chmodSync(program, 0o755);
}

function find(env: Record<string, string>): { major: number; program?: string; version?: string }[] {
  const code = `import { findNodes } from ${JSON.stringify(script)};
    process.stdout.write(JSON.stringify(findNodes(${JSON.stringify(env)})));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }));
}

describe.skipIf(process.platform === "win32")("the other Node versions that are supported", () => {
  const folders = (): string[] => ["broken", "none", ...others.map(String)].map((folder) => join(directory, folder));
  const expected = () =>
    others.map((major) => ({ major, program: join(directory, String(major), "node"), version: `${major}.99.0` }));

  it("are found by ACP_KIT_NODES: folders and programs", () => {
    const programs = others.map((major) => join(directory, String(major), "node"));
    expect(find({ ACP_KIT_NODES: folders().join(delimiter) })).toEqual(expected());
    expect(find({ ACP_KIT_NODES: programs.join(delimiter) })).toEqual(expected());
  });

  it("are found on the PATH, unless they are installed in the workspace", () => {
    const found = find({ PATH: folders().join(delimiter) });
    expect(found.map(({ major, version }) => [major, version?.split(".")[0]])).toEqual(
      others.map((major) => [major, String(major)]),
    );
  });

  it("never include the running version", () => {
    expect(find({}).map(({ major }) => major)).toEqual(others);
  });
});
