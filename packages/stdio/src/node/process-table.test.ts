import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { carriesMark, groupMembers, parsePs, processRow } from "./process-table.js";
import { taskkillArguments } from "./process-tree.js";

describe("the process table", () => {
  it("names this process by a start time that stays", () => {
    const row = processRow(process.pid);
    expect(row).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(row?.startTime).not.toBe("");
    expect(processRow(process.pid)).toEqual(row);
    expect(processRow(2 ** 22 + 1)).toBeUndefined();
  });

  it("lists the members of a group, and reads the mark of a process's environment", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo; wait"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env.PATH, MARK: "ab" },
    });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    const members = groupMembers(pid) ?? [];
    expect(members.map(({ group }) => group)).toEqual([pid, pid]);
    expect(members.every((member) => carriesMark(member.pid, "MARK=ab"))).toBe(true);
    expect(carriesMark(pid, "MARK=a")).toBe(false);
    expect(carriesMark(2 ** 22 + 1, "MARK=a")).toBe(false);
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
      { pid: 1, parent: 0, group: 1, zombie: false, startTime: "Mon Nov 17 08:00:01 2025" },
      { pid: 4711, parent: 1, group: 4711, zombie: true, startTime: "Fri Nov 21 10:12:13 2025" },
    ]);
  });

  it("ends a tree on Windows by its parents", () => {
    expect(taskkillArguments(4711)).toEqual(["/PID", "4711", "/T", "/F"]);
  });
});
