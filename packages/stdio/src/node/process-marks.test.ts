import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { carriesMark, createMark, markedProcesses, markVariable, parseMarked } from "./process-marks.js";

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const exit = once(child, "exit");
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await exit;
  }
});

/** Starts a marked shell with two processes, and waits until both run. */
async function startMarked(mark: string, outer: Record<string, string> = {}): Promise<number> {
  const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo; wait", "secret"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, ...markVariable(mark, outer) },
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  // The second process exists now, but while the system loads its program, its environment can't be read.
  await vi.waitFor(() => expect(markedProcesses(mark)).toHaveLength(2), 10_000);
  return child.pid ?? 0;
}

describe("the mark of a child", () => {
  it("is found in the environment of the child and its descendants, and nowhere else", async () => {
    const mark = createMark();
    const pid = await startMarked(mark);
    expect(markedProcesses(mark).map(({ group }) => group)).toEqual([pid, pid]);
    expect(markedProcesses(createMark())).toEqual([]);
    expect([carriesMark(pid, mark), carriesMark(pid, mark.slice(1)), carriesMark(2 ** 22 + 1, mark)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("names the program without its arguments", async () => {
    const mark = createMark();
    const pid = await startMarked(mark);
    expect(markedProcesses(mark).find((row) => row.pid === pid)?.command).toBe("/bin/sh");
  });

  it("is found beside the marks of the hosts that the child descends from", async () => {
    const [outer, inner] = [createMark(), createMark()];
    await startMarked(inner, markVariable(outer, {}));
    expect(markedProcesses(outer)).toHaveLength(2);
    expect(markedProcesses(inner)).toHaveLength(2);
  });

  it("is one of at most 16: the outermost are dropped", () => {
    let env: Record<string, string> = {};
    for (let depth = 0; depth < 100; depth += 1) env = markVariable(`${depth}`, env);
    const marks = Object.values(env)[0]?.split(":");
    expect(marks).toEqual(Array.from({ length: 16 }, (_, index) => `${84 + index}`));
  });

  it("is read where only `ps` shows it", () => {
    const mark = createMark();
    const table = [
      `  12 /usr/bin/node agent.js HOME=/h ACP_KIT_AGENT=a:${mark} Z=1`,
      `  13 cat ACP_KIT_AGENT=${mark}x`,
      `  14 echo ${mark}`,
      `  15 X_ACP_KIT_AGENT=${mark}`,
      `not-a-pid sh ACP_KIT_AGENT=${mark}`,
    ].join("\n");
    expect(parseMarked(table, mark)).toEqual([[12, "/usr/bin/node"]]);
  });

  it("hostile.process-table: is read in linear time: lines of spaces, separators and equals signs", async () => {
    const mark = createMark();
    for (const filler of [" ", "=", ":", "ACP_KIT_AGENT=", "ACP_KIT_AGENT=: "]) {
      const parse = (size: number): void => {
        const long = filler.repeat(size);
        expect(parseMarked(`1 sh ${long} ${mark} ${long}\n`, mark)).toEqual([]);
        expect(parseMarked(`1 sh ${long} ACP_KIT_AGENT=${mark} ${long}\n`, mark)).toEqual([[1, "sh"]]);
      };
      expect(await growthOf(parse), filler).toBeLessThan(LINEAR);
    }
  });
});
