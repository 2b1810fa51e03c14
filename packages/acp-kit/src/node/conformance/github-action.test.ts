import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, sandbox } from "../../../test/spawned.js";

const folder = fileURLToPath(new URL("../../../../../.github/actions/conformance", import.meta.url));
const action = readFileSync(join(folder, "action.yml"), "utf8");
const guide = readFileSync(new URL("../../../../../docs/guides/conformance-in-ci.md", import.meta.url), "utf8");

const { cwd, home, remove } = sandbox();
afterAll(remove);

/** The inputs of the action, each with its lines. */
const inputs = [
  ...(/^inputs:\n((?: {2}.*\n)+)/m.exec(action)?.[1] ?? "").matchAll(/^ {2}(\w+):\n((?: {4}.*\n)+)/gm),
].map(([, name = "", text = ""]) => ({
  name,
  description: /description: (.+)/.exec(text)?.[1],
  default: /default: (.+)/.exec(text)?.[1]?.replace(/^"(.*)"$/, "$1"),
  isRequired: text.includes("required: true"),
}));

/** The variables of the step, as GitHub fills them in from inputs and their defaults. */
function environment(given: Readonly<Record<string, string>>, temporary: string): Record<string, string> {
  const lines = [...action.matchAll(/^ {8}(ACP_\w+): (.+)$/gm)];
  const filled = (text: string): string =>
    text
      .replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => {
        const input = inputs.find((each) => each.name === name);
        return given[name] ?? input?.default ?? "";
      })
      .replaceAll(/\$\{\{ runner\.temp \}\}/g, temporary);
  return Object.fromEntries(lines.map(([, name = "", text = ""]) => [name, filled(text)]));
}

/**
 * Runs the script of the step as GitHub does, with the command line of this repository in the place of the published
 * one.
 */
async function runStep(name: string, given: Readonly<Record<string, string>>) {
  const box = join(home, name);
  const programs = join(box, "bin");
  mkdirSync(programs, { recursive: true });
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes acp-kit@latest" ] || exit 99\nshift 2\nexec "${process.execPath}" "${await commandLine()}" "$@"\n`;
  writeFileSync(join(programs, "npx"), npx, { mode: 0o755 });
  const [output, summary] = [join(box, "output"), join(box, "summary")];
  for (const file of [output, summary]) writeFileSync(file, "");
  const [, run = ""] = /^ {6}run: (.+)$/m.exec(action) ?? [];
  const env = {
    ...environment(given, box),
    PATH: [programs, process.env.PATH].join(delimiter),
    HOME: home,
    GITHUB_ACTION_PATH: folder,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
  };
  const script = join(box, "step.sh");
  writeFileSync(script, run);
  const code = await new Promise<number>((resolve) => {
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", script];
    execFile("bash", shell, { cwd, env }, (error) => resolve(error ? Number(error.code) : 0));
  });
  const reports = join(box, "acp-conformance");
  return {
    code,
    output: readFileSync(output, "utf8"),
    summary: readFileSync(summary, "utf8"),
    reports: existsSync(reports) ? readdirSync(reports).sort() : [],
  };
}

describe("the GitHub action", () => {
  it("documents and uses each input", () => {
    expect(inputs.map(({ name }) => name)).toEqual(["agent", "options", "version", "name"]);
    for (const { name, description, default: preset, isRequired } of inputs) {
      expect(isRequired, name).toBe(preset === undefined);
      expect(action, name).toContain(`\${{ inputs.${name} }}`);
      expect(guide).toContain(
        `| \`${name}\` | ${description} | ${preset === undefined ? "required" : `\`${preset}\``} |\n`,
      );
    }
  });

  it("has no logic except the script", () => {
    expect([...action.matchAll(/^ +run: (.+)$/gm)].map(([, run]) => run)).toEqual([
      'bash "$GITHUB_ACTION_PATH/run.sh"',
    ]);
    expect(readdirSync(folder).sort()).toEqual(["action.yml", "run.sh"]);
  });
});

describe.skipIf(process.platform === "win32").concurrent("the step of the GitHub action", () => {
  it("conformance.github-action: tests an agent, writes all reports, the verdict and a summary", async ({ expect }) => {
    const [, ...agent] = await demoAgent();
    const options = "--preset everything --only prompt/text,initialize/agrees";
    const { code, output, summary, reports } = await runStep("conformant", { agent: agent.join(" "), options });
    expect(code).toBe(0);
    expect(output).toBe("verdict=conformant\n");
    expect(summary).toMatch(/^### ACP conformance: conformant\n```\n[\s\S]*scenarios: +2 passed[\s\S]*```\n$/);
    expect(reports).toEqual(["report.html", "report.json", "report.txt", "report.xml", "repro"]);
  });

  it("ends with the code of the verdict", async ({ expect }) => {
    const agent = `${process.execPath} -e process.exit()`;
    const { code, output } = await runStep("inconclusive", { agent, options: "--only initialize/agrees" });
    expect(output).toBe("verdict=inconclusive\n");
    expect(code).toBe(3);
  });

  it("splits the agent's command at spaces, and replaces no * by names of files", async ({ expect }) => {
    const received = join(home, "received.json");
    writeFileSync(join(cwd, "a.txt"), "");
    const code = `require("fs").writeFileSync("${received}",JSON.stringify(process.argv.slice(1)))`;
    await runStep("star", { agent: `${process.execPath} -e ${code} two *`, options: "--only initialize/agrees" });
    expect(JSON.parse(readFileSync(received, "utf8"))).toEqual(["two", "*"]);
  });

  it("ends with an error and without a verdict for a wrong command line", async ({ expect }) => {
    const { code, output, summary } = await runStep("wrong", { agent: "agent", options: "--no-such-option" });
    expect([code, output, summary]).toEqual([2, "", ""]);
  });
});
