import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually, isRunning } from "../../test/processes.js";
import { loginEnvironment } from "./login-environment.js";
import { ProcessTree } from "./process-tree.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acp-kit-login-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A shell with the start-up files `startup`. */
function shell(startup: string, name = "shell"): string {
  const file = join(home, name);
  const run = 'while [ "$1" != -c ] && [ "$1" != -ic ] && [ "$1" != -Command ]; do shift; done; eval "$2"';
  writeFileSync(file, `#!/bin/sh\nexport HOME='${home}'\n${startup}\n${run}\n`, { mode: 0o755 });
  return file;
}

const path = (env: Record<string, string>): string[] => (env.PATH ?? "").split(delimiter);

describe("loginEnvironment", () => {
  it("reads what the shell's start-up files set, whatever they print", async () => {
    const file = shell(`echo 'Welcome, {"a":1}'; export FROM_LOGIN="é \\"'\n"; export PATH="/from/login:$PATH"`);
    const env = await loginEnvironment({ shell: file });
    expect(env.FROM_LOGIN).toBe(`é "'\n`);
    expect(path(env)[0]).toBe("/from/login");
    expect(env.ELECTRON_RUN_AS_NODE).toBeUndefined();
    expect(env.ZSH_TMUX_AUTOSTART).toBeUndefined();
  });

  it.each([
    ["the shell", "export VSCODE_IPC_HOOK=1 ELECTRON_RUN_AS_NODE=1"],
    ["this process, after a failure of the shell", "exit 3"],
  ])("env.host: has no variables of a program that embeds this process, from %s", async (_, startup) => {
    vi.stubEnv("ELECTRON_RUN_AS_NODE", "1");
    const env = await loginEnvironment({ shell: shell(startup) });
    vi.unstubAllEnvs();
    expect(Object.keys(env).filter((name) => /^(ELECTRON|VSCODE)_/.test(name))).toEqual([]);
    expect(env.PATH).not.toBe("");
  });

  it("reads the login shell of this system", async () => {
    const problems: Error[] = [];
    const env = await loginEnvironment({ shell: "/bin/sh", onProblem: (error) => problems.push(error) });
    expect(problems).toEqual([]);
    expect(path(env).length).toBeGreaterThan(0);
    expect(env.PWD === undefined || env.PWD === process.env.PWD).toBe(true);
  });

  it("reads the user's shell if SHELL is empty", async () => {
    const problems: Error[] = [];
    vi.stubEnv("SHELL", "");
    await loginEnvironment({ onProblem: (error) => problems.push(error) });
    vi.unstubAllEnvs();
    expect(problems).toEqual([]);
  });

  it("waits for the shell without a limit if timeoutMs is Infinity", async () => {
    const problems: Error[] = [];
    const timeoutMs = Number.POSITIVE_INFINITY;
    const options = {
      shell: shell("export FROM_LOGIN=1"),
      timeoutMs,
      onProblem: (error: Error) => problems.push(error),
    };
    expect(await loginEnvironment(options)).toMatchObject({ FROM_LOGIN: "1" });
    expect(problems).toEqual([]);
  });

  it("runs the shell once, and again with `refresh`", async () => {
    const count = join(home, "count");
    const file = shell(`echo x >> '${count}'`);
    await Promise.all([loginEnvironment({ shell: file }), loginEnvironment({ shell: file })]);
    await loginEnvironment({ shell: file });
    expect(readFileSync(count, "utf8")).toBe("x\n");
    await loginEnvironment({ shell: file, refresh: true });
    expect(readFileSync(count, "utf8")).toBe("x\nx\n");
  });

  it.each([
    ["hangs", "sleep 1000", /printed no environment within 50 ms/],
    ["exits", "exit 3", /ended with code 3/],
    [
      "prints without end",
      "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done",
      /more than the limit|no answer/,
    ],
  ])("falls back to this process's environment when the shell %s", async (_, startup, message) => {
    const pid = join(home, "pid");
    const problems: Error[] = [];
    const file = shell(`echo $$ > '${pid}'; ${startup}`);
    const timeoutMs = startup.startsWith("sleep") ? 50 : 5_000;
    const env = await loginEnvironment({ shell: file, timeoutMs, onProblem: (error) => problems.push(error) });
    expect(env).toMatchObject({ HOME: process.env.HOME });
    expect(path(env)).toEqual(expect.arrayContaining(path(process.env as Record<string, string>).filter(Boolean)));
    expect(problems.map(String)).toEqual([expect.stringMatching(message)]);
    await eventually(() => !isRunning(Number(readFileSync(pid, "utf8"))));
  });

  it("runs the shell again after a failure, and reports a shell that does not exist", async () => {
    const problems: string[] = [];
    const onProblem = (error: Error): void => void problems.push(error.message);
    const file = join(home, "shell");
    await loginEnvironment({ shell: file, onProblem });
    expect(problems).toEqual([`The login shell ${file} can't be started.`]);
    shell("export LATER=1");
    expect(await loginEnvironment({ shell: file, onProblem })).toMatchObject({ LATER: "1" });
  });

  it.each<[string, () => void]>([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("the hook has a bug"))],
  ])("never rejects, even if onProblem %s", async (_, onProblem) => {
    const env = await loginEnvironment({ shell: join(home, "missing"), onProblem });
    expect(env).toMatchObject({ HOME: process.env.HOME });
  });

  it("doesn't wait for a shell that keeps running after it printed the environment", async () => {
    const pid = join(home, "pid");
    const file = shell(`echo $$ > '${pid}'; trap 'sleep 1000' EXIT`);
    await loginEnvironment({ shell: file });
    await eventually(() => !isRunning(Number(readFileSync(pid, "utf8"))));
  });

  it.each([
    ["bash", "trap 'echo \"$BASH_COMMAND\"' DEBUG; set -o functrace"],
    ["bash", "exec 2>&1; set -v -x"],
    ["sh", "exec 2>&1; set -v -x"],
  ])("is not misled by a %s that prints each command: %s", async (name, startup) => {
    const file = join(home, "printing");
    const run = 'while [ "$1" != -c ]; do shift; done; eval "$2"; true';
    writeFileSync(file, `#!/usr/bin/env ${name}\nexport HOME='${home}' FROM_LOGIN=1\n${startup}\necho "$@"\n${run}\n`, {
      mode: 0o755,
    });
    const problems: Error[] = [];
    const env = await loginEnvironment({ shell: file, onProblem: (error) => problems.push(error) });
    expect(problems).toEqual([]);
    expect(env).toMatchObject({ HOME: home, FROM_LOGIN: "1" });
    expect(Object.keys(env).filter((key) => /^\d+$/.test(key))).toEqual([]);
  });

  it.each(["[]", "null", '"text"', '{"A":1}', "{", '["a","b"]'])(
    "rejects %s between the marks, and reports it",
    async (answer) => {
      const problems: string[] = [];
      const joined = "s/\\[\\([0-9]*\\)\\][+]*/\\1/g";
      const file = shell(`mark=$(echo "$4" | sed -e 's/.*-p .//' -e 's/+JSON.*//' -e '${joined}')
        echo "$mark"'${answer}'"$mark"; exit 0`);
      const env = await loginEnvironment({ shell: file, onProblem: ({ message }) => problems.push(message) });
      expect(problems).toEqual([`The login shell ${file} printed another text instead of its environment.`]);
      expect(env).toMatchObject({ HOME: process.env.HOME });
    },
  );

  it("leak.whole-group: never signals the process group of a shell that has been collected", async () => {
    const signalled: unknown[] = [];
    const collected = new Set<number>();
    const kill = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
      // 0 asks whether the group exists, and signals nothing
      if (collected.has(-pid) && signal !== 0) signalled.push([pid, signal]);
      return true;
    });
    const leaderEnded = vi.spyOn(ProcessTree.prototype, "leaderEnded");
    leaderEnded.mockImplementationOnce(function (this: ProcessTree) {
      collected.add(this.pid);
      leaderEnded.mockRestore();
      this.leaderEnded();
    });
    await loginEnvironment({ shell: shell("") });
    await eventually(() => collected.size === 1);
    await new Promise((resolve) => setImmediate(resolve)); // `close` follows `exit`
    kill.mockRestore();
    expect(signalled).toEqual([]);
  });

  it("hostile.login-shell: searches the shell's output once: 3 MiB in short lines before the environment", async () => {
    const problems: Error[] = [];
    const file = shell("i=0; while [ $i -lt 3000 ]; do printf '%01023d\\n' 0; i=$((i+1)); done; export AFTER=1");
    const env = await loginEnvironment({ shell: file, onProblem: (error) => problems.push(error), timeoutMs: 30_000 });
    expect(problems).toEqual([]);
    expect(env.AFTER).toBe("1");
  });

  it("adds existing directories of version managers, after those of the shell", async () => {
    for (const directory of [".volta/bin", ".nvm/versions/node/v9.0.0/bin", ".nvm/versions/node/v22.1.0/bin"]) {
      mkdirSync(join(home, directory), { recursive: true });
    }
    const file = shell('export PATH="$HOME/.volta/bin:/usr/bin:/bin"; unset NVM_DIR');
    const [first, ...rest] = path(await loginEnvironment({ shell: file }));
    expect(first).toBe(join(home, ".volta/bin"));
    expect(rest).toContain(join(home, ".nvm/versions/node/v22.1.0/bin"));
    expect(rest).not.toContain(join(home, ".nvm/versions/node/v9.0.0/bin"));
    expect(rest).not.toContain(join(home, ".volta/bin"));
    expect(rest).not.toContain(join(home, ".bun/bin"));
  });

  it.each(["tcsh", "fish", "nu", "pwsh"])("uses the right arguments for %s", async (name) => {
    const log = join(home, "arguments");
    const file = shell(`printf '%s|' "$@" > '${log}'; exit 1`, name);
    await loginEnvironment({ shell: file });
    const expected = {
      tcsh: /^-ic\|'/,
      fish: /^-i\|-l\|-c\|'/,
      nu: /^-i\|-l\|-c\|\^'/,
      pwsh: /^-Login\|-Command\|& '/,
    }[name];
    expect(readFileSync(log, "utf8")).toMatch(expected ?? "");
  });
});
