import { spawn } from "node:child_process";
import { once } from "node:events";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { groupMembers, parsePs, processRow } from "./process-table.js";
import { taskkillArguments } from "./process-tree.js";

describe("the process table", () => {
  it("identifies this process by a start time that doesn't change", () => {
    const row = processRow(process.pid);
    expect(row).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(row?.startTime).not.toBe("");
    expect(processRow(process.pid)).toEqual(row);
    expect(processRow(2 ** 22 + 1)).toBeUndefined();
  });

  it("lists the members of a group, with their session", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo; wait"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    const members = groupMembers(pid) ?? [];
    expect(members.map(({ group, session }) => [group, session])).toEqual([
      [pid, pid],
      [pid, pid],
    ]);
    process.kill(-pid, "SIGKILL");
    await once(child, "exit");
  });

  it("reads the table of systems without /proc", () => {
    const rows = parsePs(
      [
        "    1     0     1 Ss   Mon Nov 17 08:00:01 2025    ",
        " 4711     1  4711 Z+   Fri Nov 21 10:12:13 2025",
        "",
        "not a row",
      ].join("\n"),
    );
    expect(rows).toEqual([
      {
        ...{ pid: 1, parent: 0, group: 1, session: undefined, zombie: false },
        ...{ startTime: "Mon Nov 17 08:00:01 2025", startOrder: Date.UTC(2025, 10, 17, 8, 0, 1) },
      },
      {
        ...{ pid: 4711, parent: 1, group: 4711, session: undefined, zombie: true },
        ...{ startTime: "Fri Nov 21 10:12:13 2025", startOrder: Date.UTC(2025, 10, 21, 10, 12, 13) },
      },
    ]);
  });

  it("hostile.process-table: reads any table in linear time: of spaces in a line, and of many lines", async () => {
    for (const [tableOf, processes] of [
      [(size: number) => `1 0 1 S${" ".repeat(size)}\u2028`, 0],
      [(size: number) => `1 0 1 S x${" \r".repeat(size)}y`, 1],
      [(size: number) => "7 ".repeat(size), 1],
      [(size: number) => "\n".repeat(size), 0],
    ] as const) {
      const parse = (size: number) => expect(parsePs(tableOf(size))).toHaveLength(processes);
      expect(await growthOf(parse), tableOf(3)).toBeLessThan(LINEAR);
    }
  });

  it("ends a tree on Windows by its parents", () => {
    expect(taskkillArguments(4711)).toEqual(["/PID", "4711", "/T", "/F"]);
  });
});
