import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { WindowsDescendants } from "./windows-descendants.js";
import { parseProcesses } from "./windows-processes.js";

const begin = Date.UTC(2026, 0, 1);

/** A process table of Windows that a test changes, and the programs that read it and end processes. */
class Machine {
  readonly table = new Map<number, { readonly parent: number; readonly at: number; readonly name: string }>();
  readonly ended: number[] = [];
  at = 0;

  readonly now = (): number => begin + this.at;

  start(pid: number, parent: number, name = `p${pid}.exe`): void {
    this.table.set(pid, { parent, at: this.at, name });
  }

  readonly run = async (file: string, args: readonly string[]): Promise<string> => {
    if (file === "taskkill") {
      const pid = Number(args[1]);
      this.ended.push(pid);
      this.table.delete(pid);
      return "";
    }
    const rows = [...this.table].map(
      ([pid, { parent, at, name }]) => `${pid} ${parent} ${BigInt(begin + at + 11_644_473_600_000) * 10_000n} ${name}`,
    );
    return `${rows.join("\r\n")}\r\n`;
  };
}

/** A machine on which the child 100 has just started. */
function child(): { readonly machine: Machine; readonly descendants: WindowsDescendants } {
  const machine = new Machine();
  machine.start(1, 0);
  machine.start(50, 1);
  machine.at = 10_000;
  machine.start(100, 50);
  return { machine, descendants: new WindowsDescendants(100, machine) };
}

function exit(machine: Machine, descendants: WindowsDescendants): void {
  machine.at += 10_000;
  machine.table.delete(100);
  descendants.ended();
}

describe("leak.detached: on Windows, descendants that outlive a child", () => {
  it("are reported by pid and program; other processes are not", async () => {
    const { machine, descendants } = child();
    machine.at += 5_000;
    machine.start(101, 100, "my daemon.exe");
    machine.start(51, 50);
    exit(machine, descendants);
    expect(await descendants.settle("report")).toEqual([{ pid: 101, command: "my daemon.exe", ended: false }]);
    expect(machine.ended).toEqual([]);
  });

  it("are ended by option, with those that they start while they are being ended", async () => {
    const { machine, descendants } = child();
    machine.at += 5_000;
    machine.start(101, 100);
    exit(machine, descendants);
    const { run } = machine;
    const descendant = new WindowsDescendants(100, {
      now: () => begin + 10_000,
      run: async (file, args) => {
        if (file === "taskkill" && args[1] === "101") machine.start(102, 101);
        return await run(file, args);
      },
    });
    expect(await descendant.settle("end")).toEqual([
      { pid: 101, command: "p101.exe", ended: true },
      { pid: 102, command: "p102.exe", ended: true },
    ]);
    expect(machine.ended).toEqual([101, 102]);
  });

  it("are found although their parent has ended, if a look found the parent", async () => {
    const { machine, descendants } = child();
    machine.at += 5_000;
    machine.start(101, 100);
    machine.start(102, 101);
    expect((await descendants.look()).map(({ pid }) => pid)).toEqual([101, 102]);
    machine.at += 1;
    machine.start(103, 101);
    machine.table.delete(101);
    exit(machine, descendants);
    expect((await descendants.settle("report")).map(({ pid }) => pid)).toEqual([102, 103]);
  });

  it("are not confused with children of a process that got the pid of the child or of a descendant", async () => {
    const { machine, descendants } = child();
    machine.at += 5_000;
    machine.start(101, 100);
    await descendants.look();
    machine.table.delete(101);
    exit(machine, descendants);
    machine.at += 5_000;
    machine.start(100, 50, "other.exe");
    machine.start(101, 50, "other.exe");
    machine.at += 5_000;
    machine.start(200, 100);
    machine.start(201, 101);
    expect(await descendants.settle("end")).toEqual([]);
    expect(machine.ended).toEqual([]);
  });

  it("are not confused with older processes whose parent had the same pid before", async () => {
    const { machine } = child();
    machine.table.set(30, { parent: 100, at: 1, name: "older.exe" });
    const descendants = new WindowsDescendants(100, machine);
    exit(machine, descendants);
    expect(await descendants.settle("end")).toEqual([]);
  });

  it("that can't be ended are reported as running", async () => {
    const { machine, descendants } = child();
    machine.start(101, 100);
    const { run } = machine;
    const stubborn = new WindowsDescendants(100, {
      now: machine.now,
      run: async (file, args) => (file === "taskkill" ? Promise.reject(new Error("denied")) : await run(file, args)),
    });
    exit(machine, descendants);
    stubborn.ended();
    expect(await stubborn.settle("end")).toEqual([{ pid: 101, command: "p101.exe", ended: false }]);
  });

  it("are not found without PowerShell, and nothing rejects", async () => {
    const descendants = new WindowsDescendants(100, { run: () => Promise.reject(new Error("not found")) });
    expect(await descendants.look()).toEqual([]);
    expect(await descendants.settle("end")).toEqual([]);
  });
});

it("hostile.process-table: the list of PowerShell is read in linear time", async () => {
  expect(parseProcesses("1 2 3\r\nx 1 2 a.exe\r\n\r\n-1 2 3 b.exe")).toEqual([]);
  for (const [listOf, processes] of [
    [(size: number) => `1 2 ${"3".repeat(size)} a`, []],
    [(size: number) => " ".repeat(size), []],
    [(size: number) => `1 0 116444736000000000 ${"a ".repeat(size)}`, [{ pid: 1, startMs: 0 }]],
  ] as const) {
    expect(parseProcesses(listOf(100_000))).toMatchObject(processes);
    expect(await growthOf((size) => parseProcesses(listOf(size))), listOf(3)).toBeLessThan(LINEAR);
  }
});
