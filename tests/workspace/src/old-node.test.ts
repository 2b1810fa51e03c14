import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../../../packages", import.meta.url));

/** Makes a process report an old version of Node.js before it loads its program. */
const pretend = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperties(process, { version: { value: "v18.20.8" }, versions: { value: { node: "18.20.8" } } })',
)}`;

describe.each(["acp-kit", "create-acp-agent", "create-acp-client"])("%s with an old version of Node.js", (name) => {
  const file = join(packages, name, "bin", `${name}.js`);

  it("prints one sentence and exits with 1", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", pretend, file], { encoding: "utf8" });
    const { engines } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
    const [, least] = /^>=(\d+\.\d+)\.0$/.exec(engines.node) ?? [];
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: `${name} needs Node.js ${least} or later; this is v18.20.8.\n`,
    });
  });

  it("can be parsed: it has no static import, no top-level await and no import.meta", () => {
    expect(() => new Script(readFileSync(file, "utf8"))).not.toThrow();
  });
});
