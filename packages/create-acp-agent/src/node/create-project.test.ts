import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow } from "@acp-kit/configs/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProject } from "./create-project.js";

const starters = {
  agent: new URL("../../", import.meta.url),
  client: new URL("../../../create-acp-client/", import.meta.url),
};

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-create-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function create(starter: URL, ...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const print = (line: string) => void lines.push(line);
  const printError = (line: string) => void errors.push(line);
  const status = await createProject(starter, args, { cwd, print, printError });
  return { status, output: lines.join("\n"), errors: errors.join("\n") };
}

describe.each(Object.entries(starters))("the starter of a new %s", (_, starter) => {
  it("writes a project of that name, with no placeholder left", async () => {
    const { status, output } = await create(starter, "My Project");
    expect(status).toBe(0);
    expect(output).toMatch(/cd (["'])My Project\1\n/); // a shell would read two arguments without the quotes
    const folder = join(cwd, "My Project");
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({ name: "my-project" });
    const texts = filesBelow(folder).map((path) => readFileSync(join(folder, path), "utf8"));
    expect(texts.filter((text) => /\{\{[^}]*\}\}/.test(text))).toEqual([]);
  });

  it("writes the files that npm would leave out of a package", async () => {
    await create(starter, "x");
    expect(existsSync(join(cwd, "x", ".gitignore"))).toBe(true);
    expect(existsSync(join(cwd, "x", ".github", "workflows", "ci.yml"))).toBe(true);
  });

  it("depends on the versions with which the starter was tested", async () => {
    await create(starter, "x");
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(cwd, "x", "package.json"), "utf8"));
    const own = JSON.parse(readFileSync(new URL("package.json", starter), "utf8")).devDependencies;
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) expect(range).toBe(own[name]);
  });
});

it.each([
  ["My Agent", "my-agent"],
  ["my_agent.two", "my-agent-two"],
  ["2nd", "agent-2nd"],
])("writes an id that the public registry accepts for %j", async (folder, id) => {
  await create(starters.agent, folder);
  expect(JSON.parse(readFileSync(join(cwd, folder, "agent.json"), "utf8"))).toMatchObject({ id });
});

it("uses an existing folder that is empty", async () => {
  mkdirSync(join(cwd, "empty"));
  expect((await create(starters.agent, "empty")).status).toBe(0);
});

it("doesn't change the folder in the next steps if the project is in the current one", async () => {
  const { output } = await create(starters.agent, ".");
  expect(output).toContain("\n\n  npm install\n  npm test\n");
});

it("refuses a folder that is not empty, and changes nothing in it", async () => {
  mkdirSync(join(cwd, "full"));
  writeFileSync(join(cwd, "full", "mine.txt"), "mine");
  const { status, errors } = await create(starters.agent, "full");
  expect(status).toBe(2);
  expect(errors).toContain("exists and is not empty");
  expect(readdirSync(join(cwd, "full"))).toEqual(["mine.txt"]);
});

it("refuses the name of a file, and does not change the file", async () => {
  writeFileSync(join(cwd, "taken"), "mine");
  const { status, errors } = await create(starters.agent, "taken");
  expect({ status, errors }).toMatchObject({ status: 2, errors: expect.stringContaining("is not a folder") });
  expect(readFileSync(join(cwd, "taken"), "utf8")).toBe("mine");
});

it("refuses a folder below a file, and names the file", async () => {
  writeFileSync(join(cwd, "taken"), "mine");
  const { status, errors } = await create(starters.agent, "taken/deep/x");
  expect(status).toBe(2);
  expect(errors).toContain(`${join(cwd, "taken")} exists and is not a folder. Choose another name.`);
});

it("reports a folder that can't be written, with its path and without a stack trace", async () => {
  mkdirSync(join(cwd, "parent"));
  const tooLong = "n".repeat(300); // fails for every user, also for root
  const { status, errors } = await create(starters.agent, join("parent", tooLong));
  expect(status).toBe(2);
  expect(errors).toContain(`Can't write the project to ${join(cwd, "parent", tooLong)}: ENAMETOOLONG`);
  expect(readdirSync(join(cwd, "parent"))).toEqual([]);
});

it.each([
  [[], "The name of the new folder is missing."],
  [[""], "The name of the new folder is missing."],
  [["--force"], "There is no option --force."],
  [["a", "b"], '"b" is one argument too many'],
  [["..."], "contains no character of a package name"],
])("refuses %j with a sentence and the usage", async (args, problem) => {
  const { status, errors } = await create(starters.agent, ...args);
  expect(status).toBe(2);
  expect(errors).toContain(problem);
  expect(errors).toContain("Usage: npm create acp-agent <folder>");
});

it("prints its usage with --help", async () => {
  const { status, output } = await create(starters.client, "--help");
  expect([status, output.split("\n")[0]]).toEqual([0, "Usage: npm create acp-client <folder>"]);
});
