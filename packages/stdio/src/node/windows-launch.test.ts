import { readFileSync } from "node:fs";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteForBatch } from "./cmd-quoting.js";
import type { Launch } from "./launched-program.js";
import { ProcessError } from "./process-error.js";
import { resolveWindowsLaunch } from "./windows-launch.js";

const recorded = (name: string): string =>
  readFileSync(new URL(`../../test/fixtures/shims/${name}`, import.meta.url), "utf8");

const npm = "C:\\Users\\me\\AppData\\Roaming\\npm";
const nodejs = "C:\\Program Files\\nodejs";
const node = `${nodejs}\\node.exe`;
const PATH = `"${nodejs}";${npm};C:\\tools;`;

/** A Windows machine: its files by path, with their content. */
function launch(
  command: string,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
): Launch {
  const all = new Map(Object.entries({ [node]: "", ...files }).map(([path, text]) => [path.toLowerCase(), text]));
  return resolveWindowsLaunch({ command, cwd: "C:\\work", env: { Path: PATH, ...env } }, args, {
    isFile: (path) => all.has(path.toLowerCase()),
    read: (path) => all.get(path.toLowerCase()) ?? "",
  });
}

describe("finding a command on Windows", () => {
  it("tries the extensions of PATHEXT in each directory of PATH, in order", () => {
    const files = { "C:\\tools\\agent.exe": "", "C:\\tools\\agent.com": "", [`${npm}\\agent`]: "#!/bin/sh" };
    expect(launch("agent", ["a"], { ...files, [`${npm}\\agent.exe`]: "" })).toEqual({
      file: `${npm}\\agent.exe`,
      args: ["a"],
    });
    expect(launch("agent", [], files).file).toBe("C:\\tools\\agent.com");
    expect(launch("agent", [], files, { PathExt: ".EXE;.COM;.JS" }).file).toBe("C:\\tools\\agent.exe");
    expect(launch("agent.exe", [], files).file).toBe("C:\\tools\\agent.exe");
  });

  it("resolves paths against the agent's working directory", () => {
    const files = { "C:\\work\\bin\\agent.exe": "", "D:\\x\\agent.exe": "" };
    expect(launch(".\\bin\\agent", [], files).file).toBe("C:\\work\\bin\\agent.exe");
    expect(launch("D:/x/agent.exe", [], files).file).toBe("D:\\x\\agent.exe");
  });

  it("doesn't look into the current directory, and passes unknown commands to the system unchanged", () => {
    expect(launch("agent", ["x"], { "C:\\work\\agent.exe": "" })).toEqual({ file: "agent", args: ["x"] });
  });

  it("runs scripts with Node", () => {
    expect(launch("C:\\work\\agent.mjs", ["x"], { "C:\\work\\agent.mjs": "" })).toEqual({
      file: node,
      args: ["C:\\work\\agent.mjs", "x"],
      env: {},
    });
  });
});

describe("a command line that is longer than Windows allows", () => {
  const agent = { "C:\\tools\\agent.exe": "" };

  it.each([
    ["in one argument", ["x".repeat(32_767)]],
    ["in many arguments", Array.from({ length: 20_000 }, () => "x")],
  ])("hostile.command-line: is refused: %s", (_, args) => {
    expect(() => launch("agent", args, agent)).toThrow(ProcessError);
    expect(() => launch("agent", args)).toThrow(/accepts at most 32766/);
  });

  it("hostile.command-line: is refused when its shim makes it so, and not before", () => {
    const room = 32_766 - "C:\\tools\\agent.exe ".length;
    expect(launch("agent", ["x".repeat(room)], agent).file).toBe("C:\\tools\\agent.exe");
    expect(() => launch("agent", ["x".repeat(room + 1)], agent)).toThrow(ProcessError);
  });
});

describe("recorded shims", () => {
  const withLineEnds = (text: string): string[] => [text, text.replaceAll("\n", "\r\n")];

  it.each([
    ["npm-gemini.cmd", `${npm}\\node_modules\\@google\\gemini-cli\\dist\\index.js`],
    ["corepack-yarn.cmd", "C:\\Users\\me\\AppData\\Roaming\\dist\\yarn.js"],
  ])("%s starts Node with its script", (name, script) => {
    for (const text of withLineEnds(recorded(name))) {
      expect(launch("agent", ["--acp", 'a "b" & c'], { [`${npm}\\agent.cmd`]: text })).toEqual({
        file: node,
        args: [script, "--acp", 'a "b" & c'],
        env: {},
      });
    }
  });

  it("prefer the Node beside them", () => {
    const files = { [`${npm}\\agent.cmd`]: recorded("npm-gemini.cmd"), [`${npm}\\node.exe`]: "" };
    expect(launch("agent", [], files).file).toBe(`${npm}\\node.exe`);
    const yarn = { [`${npm}\\agent.cmd`]: recorded("corepack-yarn.cmd"), [`${npm}\\node.exe`]: "" };
    expect(launch("agent", [], yarn).file).toBe(`${npm}\\node.exe`);
  });

  it("keep the flags and variables of the script's first line", () => {
    expect(launch("agent", ["x"], { [`${npm}\\agent.cmd`]: recorded("npm-flags.cmd") })).toEqual({
      file: node,
      args: ["--enable-source-maps", `${npm}\\node_modules\\flags\\cli.js`, "x"],
      env: { NODE_NO_WARNINGS: "1" },
    });
  });

  it("of pnpm bring NODE_PATH, before the one that is set", () => {
    const files = { [`${npm}\\agent.cmd`]: recorded("pnpm-agent.cmd") };
    const own = "C:\\Users\\me\\AppData\\Local\\pnpm\\global\\5\\.pnpm\\agent@1.0.0\\node_modules";
    expect(launch("agent", [], files)).toEqual({
      file: node,
      args: [`${npm}\\global\\5\\node_modules\\agent\\dist\\cli.js`],
      env: { NODE_PATH: own },
    });
    expect(launch("agent", [], files, { NODE_PATH: "D:\\mine" }).env).toEqual({ NODE_PATH: `${own};D:\\mine` });
  });

  it("of programs that are not scripts start the program", () => {
    const native = `${npm}\\node_modules\\native\\bin\\agent.exe`;
    expect(launch("agent", ["x"], { [`${npm}\\agent.cmd`]: recorded("npm-native.cmd"), [native]: "" })).toEqual({
      file: native,
      args: ["x"],
      env: {},
    });
    const scoop = "C:\\Users\\me\\scoop\\apps\\agent\\current\\agent.exe";
    expect(launch("agent", ["x"], { "C:\\tools\\agent.cmd": recorded("scoop-agent.cmd"), [scoop]: "" })).toEqual({
      file: scoop,
      args: ["acp", "x"],
      env: {},
    });
  });

  it("of other languages find the interpreter in PATH", () => {
    const files = { [`${npm}\\agent.cmd`]: recorded("npm-py.cmd"), "C:\\tools\\python3.exe": "" };
    expect(launch("agent", [], files)).toMatchObject({ file: "C:\\tools\\python3.exe" });
  });

  it("npx.cmd starts the npx beside it", () => {
    const cli = `${nodejs}\\node_modules\\npm\\bin\\npx-cli.js`;
    expect(
      launch("npx", ["-y", "@zed-industries/agent"], { [`${nodejs}\\npx.cmd`]: recorded("npx.cmd"), [cli]: "" }),
    ).toEqual({
      file: node,
      args: [cli, "-y", "@zed-industries/agent"],
      env: {},
    });
  });

  it("for PowerShell are read, too, and other scripts are run by it", () => {
    expect(launch("agent.ps1", ["x"], { [`${npm}\\agent.ps1`]: recorded("npm-gemini.ps1") })).toEqual({
      file: node,
      args: [`${npm}\\node_modules\\@google\\gemini-cli\\dist\\index.js`, "x"],
      env: {},
    });
    const { file, args } = launch("npx.ps1", ["x"], { [`${nodejs}\\npx.ps1`]: recorded("npx.ps1") });
    expect(file).toBe("powershell.exe");
    expect(args.slice(-3)).toEqual(["-File", `${nodejs}\\npx.ps1`, "x"]);
  });

  it("that start themselves end at cmd.exe", () => {
    const itself = `@"C:\\tools\\agent.cmd" %*`;
    expect(launch("agent", [], { "C:\\tools\\agent.cmd": itself }).verbatim).toBe(true);
  });
});

describe("other batch files", () => {
  it("are run by cmd.exe, quoted", () => {
    const file = "C:\\tools\\my agent.cmd";
    expect(
      launch(file, ["--acp", "a b", 'say "hi"', "C:\\dir\\", "100%PATH%"], { [file]: recorded("handmade.cmd") }),
    ).toEqual({
      file: "cmd.exe",
      args: [
        "/d",
        "/s",
        "/c",
        '"C:\\tools\\my^ agent.cmd ^^^"--acp^^^" ^^^"a^^^ b^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^" ^^^"C:\\dir\\\\^^^" ^^^"100^^^%PATH^^^%^^^""',
      ],
      verbatim: true,
    });
    expect(launch(file, [], { [file]: "" }, { ComSpec: "C:\\Windows\\cmd.exe" }).file).toBe("C:\\Windows\\cmd.exe");
  });

  it("can't be given line breaks", () => {
    const file = "C:\\tools\\agent.cmd";
    for (const bad of ["a\nb", "a\rb"]) {
      expect(() => launch(file, [bad], { [file]: "call x" })).toThrow(/line break/);
    }
  });

  it("hostile.linear-text: quotes backslashes in linear time", async () => {
    const quote = (size: number): void => {
      const backslashes = "\\".repeat(size);
      expect(quoteForBatch(`${backslashes}x`)).toHaveLength(size + 1 + 2 * '^^^"'.length);
      expect(quoteForBatch(backslashes)).toHaveLength(2 * size + 2 * '^^^"'.length);
    };
    expect(await growthOf(quote)).toBeLessThan(LINEAR);
  });

  it("hostile.command-line: refuses a line that is longer than cmd.exe allows, before and after it is quoted", () => {
    const file = "C:\\tools\\agent.cmd";
    for (const argument of ["x".repeat(8_191), "%".repeat(2_100), `${"\\".repeat(100_000)}x`]) {
      expect(() => launch(file, [argument], { [file]: "call x" })).toThrow(ProcessError);
    }
    expect(() => launch(file, ["x".repeat(9_000)], { [file]: "call x" })).toThrow(
      `Can't start "C:\\tools\\agent.cmd": its command line has 9019 characters or more, and cmd.exe, which runs batch files, accepts at most 8191. Pass long input in a file or on standard input.`,
    );
    expect(launch(file, ["x".repeat(8_000)], { [file]: "call x" }).verbatim).toBe(true);
  });

  it("get arguments in which cmd.exe finds no special character, twice", () => {
    const unquote = (text: string): string => {
      expect(text.replace(/\^./g, "")).not.toMatch(/[()%!"<>&|]/); // outside of ^x no character is special
      return text.replace(/\^(.)/g, "$1");
    };
    const argument = fc.string({ unit: fc.constantFrom(..."ab \\\"%!^&|<>()'`;,*?[]=") });
    fc.assert(
      fc.property(argument, (text) => {
        const forProgram = unquote(unquote(quoteForBatch(text)));
        expect(parseArgument(forProgram)).toBe(text);
      }),
    );
  });
});

/** The C runtime's parsing of one quoted argument. */
function parseArgument(quoted: string): string {
  const inner = quoted.slice(1, -1);
  let result = "";
  for (let at = 0; at < inner.length; ) {
    const slashes = /^\\*/.exec(inner.slice(at))?.[0].length ?? 0;
    const next = inner[at + slashes];
    if (next === '"') {
      expect(slashes % 2).toBe(1);
      result += `${"\\".repeat((slashes - 1) / 2)}"`;
      at += slashes + 1;
    } else if (next === undefined) {
      expect(slashes % 2).toBe(0); // else the closing quote would be taken for one of ours
      result += "\\".repeat(slashes / 2);
      at += slashes;
    } else {
      result += "\\".repeat(slashes) + next;
      at += slashes + 1;
    }
  }
  return result;
}
