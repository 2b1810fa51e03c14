import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, playground } from "../../../test/playground.js";
import { TemporaryFiles } from "./temporary-files.js";
import { workspaceFiles } from "./workspace-files.js";

/** The pid of a process that has ended. */
const deadPid = spawnSync(process.execPath, ["-e", ""]).pid;
const yesterday = new Date(Date.now() - 25 * 60 * 60_000);

function setup() {
  const place = playground();
  const files = workspaceFiles();
  return {
    ...place,
    write: (name: string) =>
      files.writeTextFile?.({ sessionId: "s1", path: join(place.work, name), content: "x" }, contextOf(place.work)),
  };
}

const temporaryName = (): string => new TemporaryFiles().newName();
const ownName = temporaryName();
const ofProcess = (pid: number): string => temporaryName().replace(`-${process.pid}-`, `-${pid}-`);
const ofMachine = (): string => temporaryName().replace(/-[0-9a-f]{12}-/, "-000000000000-");

describe("temporary files", () => {
  it("workspace.no-leftovers: of a process that has ended are removed when their folder is written to", async () => {
    const { file, write, work } = setup();
    file(`work/${ofProcess(deadPid)}`, "torn");
    file(`work/deep/${ofProcess(deadPid)}`, "torn");
    await write("a.txt");
    expect(readdirSync(work).sort()).toEqual(["a.txt", "deep"]);
    await write("deep/b.txt");
    expect(readdirSync(join(work, "deep"))).toEqual(["b.txt"]);
  });

  it("workspace.no-leftovers: of an unknown process are removed when they are a day old", async () => {
    const { file, write, work } = setup();
    utimesSync(file(`work/${ofMachine()}`), yesterday, yesterday);
    utimesSync(file(`work/${temporaryName()}`), yesterday, yesterday);
    await write("a.txt");
    expect(readdirSync(work)).toEqual(["a.txt"]);
  });

  it("of running processes and of other machines are kept, and files with other names are kept, too", async () => {
    const { file, write, work, outside } = setup();
    const kept = [
      ownName,
      ofProcess(process.ppid),
      ofMachine(),
      ".acp-kit-a.tmp",
      `${ofProcess(deadPid)}.txt`,
      "a.tmp",
    ];
    for (const name of kept) file(`work/${name}`);
    const folder = ofProcess(deadPid);
    mkdirSync(join(work, folder));
    const link = ofProcess(deadPid);
    symlinkSync(outside, join(work, link));
    utimesSync(join(work, "a.tmp"), yesterday, yesterday);
    await write("a.txt");
    expect(readdirSync(work).sort()).toEqual([...kept, folder, link, "a.txt"].sort());
  });
});
