import { join } from "node:path";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, test } from "vitest";
import { playground } from "../../../test/playground.js";
import { programOf } from "./command-line.js";

const cwd = process.cwd();
const posix = process.platform !== "win32";

describe("a command", () => {
  test.each([
    ["npm", []],
    ["/usr/bin/env", []],
    ["C:\\tools\\run.exe", []],
    ["./run-tests_2.sh", []],
    ["npm test && echo ok", ["--flag"]],
    ["echo", ["$HOME", "a b", "; rm -rf /"]],
  ])("%j with %j is a program: no shell is involved", (command, args) => {
    expect(programOf(command, args, { cwd, shell: undefined })).toEqual({ command, args });
  });

  test.each(["npm test && echo ok", "echo $HOME", "a|b", "a>b", "FOO=1 env", "ls *.ts", "echo 'x'", "a;b", "~/x"])(
    "%j without args is a command line for the shell",
    (command) => {
      const line = programOf(command, [], { cwd, shell: { command: "bash", args: ["-lc"] } });
      const own = programOf(command, [], { cwd, shell: undefined });
      expect(line).toEqual({ command: "bash", args: ["-lc", command] });
      expect(own.args?.at(-1)).toContain(command);
      expect(own.command).toBe(posix ? "/bin/sh" : process.env.COMSPEC);
    },
  );

  test("that is the name of a file starts that file, whatever the name contains", () => {
    const { file, work } = playground();
    const path = file("work/my tool (v2)");
    expect(programOf(path, [], { cwd, shell: undefined })).toEqual({ command: path, args: [] });
    expect(programOf("./my tool (v2)", [], { cwd: work, shell: undefined })).toEqual({
      command: "./my tool (v2)",
      args: [],
    });
    expect(programOf(join(work, "my other tool"), [], { cwd, shell: undefined }).args).not.toEqual([]);
  });

  test("with spaces and without args is refused without a shell", () => {
    expect(() => programOf("a && b", [], { cwd, shell: false })).toThrow(/no shell/);
    expect(programOf("a", [], { cwd, shell: false })).toEqual({ command: "a", args: [] });
  });

  test.each(["\\", "\\w", "a\\", "a", "/"])(
    "hostile.linear-paths: that repeats %j is parsed in linear time",
    async (part) => {
      const parse = (size: number): void => {
        const { command } = programOf(part.repeat(size), [], { cwd, shell: { command: "bash", args: ["-c"] } });
        expect([part.repeat(size), "bash"]).toContain(command);
      };
      expect(await growthOf(parse)).toBeLessThan(LINEAR);
    },
  );
});
