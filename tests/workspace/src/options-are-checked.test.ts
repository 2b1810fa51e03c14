import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import ts from "typescript-api";
import { describe, expect, it } from "vitest";
import { exportedNames } from "./exported-names.js";

/** A parameter of a public function that takes options. */
interface OptionsParameter {
  readonly name: string;
  /** The file of the function, below the root. */
  readonly file: string;
  readonly index: number;
}

/** Types of options and handlers whose names do not end with `Options`. */
const otherTypes = ["AgentDefinition", "PermissionMatch", "SessionRequest"];

/** Parameters that another function checks, or that are not for applications. */
const unchecked: Readonly<Record<string, string>> = {
  "checkOptions 4": "it is the check",
  "after 2": "a timer of the packages themselves",
  "settledWithin 2": "a timer of the packages themselves",
  "createProject 2": "the two commands `npm create` call it, without options",
  "warmAgents 0": "`spawnAgent` checks them when it starts the first agent",
  "probeAgent 0": "`spawnAgent` checks them",
  "spawnRecordedAgent 0": "`spawnAgent` checks them",
  "createGatewayWith 0": "only tests call it",
  "startChild 0": "its callers are packages, which pass all options of the process that they own",
  "withSessions 0": "`createAgent` checks them, with those that `withSessions` adds",
  "everythingAgent 1": "`createAgent` checks them when a client connects",
};

/** The arguments before the options, for functions that check these first. */
const before: Readonly<Record<string, readonly unknown[]>> = {
  createAgent: [{ info: { name: "a", version: "1" }, newSession() {}, prompt() {} }],
  allow: [{}],
  reject: [{}],
  connectAgent: [{ start() {}, send() {}, close() {} }],
  forkSession: [{}, { sessionId: "s", cwd: "/" }],
};

/** Returns the parameters for options of all functions that the packages export. */
function optionsParameters(): OptionsParameter[] {
  const declarations = new Set(exportedNames().map(({ declaration }) => declaration));
  return [...declarations].flatMap((declaration) => {
    const [file = "", name] = declaration.split("#");
    if (!/^packages\/.*\.tsx?$/.test(file) || /\/gen\//.test(file)) return [];
    return ts
      .createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true)
      .statements.filter((statement) => ts.isFunctionDeclaration(statement) && statement.name?.text === name)
      .flatMap((statement) =>
        (statement as ts.FunctionDeclaration).parameters.flatMap(({ type }, index) =>
          takesOptions(type?.getText() ?? "") ? [{ name: name ?? "", file, index }] : [],
        ),
      );
  });
}

function takesOptions(type: string): boolean {
  if (/\[\]$|^readonly |Props\b|^Use[A-Z]/.test(type)) return false;
  return (
    /\w+Options\b/.test(type) ||
    /^\{ readonly \w+\?:/.test(type) ||
    otherTypes.some((name) => new RegExp(`\\b${name}\\b`).test(type))
  );
}

describe("strict.options-are-checked: every public function checks the names of its options", () => {
  const parameters = optionsParameters();

  it("finds the functions of every package that takes options", () => {
    const names = new Set(parameters.map(({ file }) => file.split("/")[1]));
    const without = packages()
      .map(({ directory }) => directory.split("/").at(-1) ?? "")
      .filter((name) => !names.has(name));
    expect(without.sort()).toEqual(["acp-kit", "create-acp-client", "protocol", "redact", "schema", "types"]);
    expect(parameters.length).toBeGreaterThan(70);
  });

  it.each(parameters.map((parameter) => [`${parameter.name} ${parameter.index}`, parameter] as const))(
    "%s",
    async (id, { name, file, index }) => {
      if (id in unchecked) return;
      const module = (await import(join(root, file))) as Record<string, (...args: unknown[]) => unknown>;
      const args = [...(before[name] ?? [])];
      args[index] = { noSuchOption() {} };
      const call = async (): Promise<unknown> => module[name]?.(...args);
      await expect(call()).rejects.toMatchObject({
        name: "InvalidOptionError",
        option: expect.stringMatching(/^(match\.)?noSuchOption$/),
      });
    },
  );

  it("excepts only functions that exist", () => {
    const ids = parameters.map(({ name, index }) => `${name} ${index}`);
    expect(Object.keys(unchecked).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
