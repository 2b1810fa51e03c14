import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it, test } from "vitest";
import { contextOf, errorOf, playground } from "../../../test/playground.js";
import type { FileAccess, WorkspaceFilesOptions } from "./files-options.js";
import { pathLimitsOf } from "./path-limits.js";
import { realLocation } from "./real-location.js";
import { workspaceFiles } from "./workspace-files.js";

const { pathLength } = pathLimitsOf(process.platform);
const posix = process.platform !== "win32";

function setup(options: WorkspaceFilesOptions = {}) {
  const place = playground();
  const files = workspaceFiles({ deleteAndRename: true, deny: ["**/secrets/**/*.pem", ".env*"], ...options });
  const context = contextOf(place.work);
  return {
    ...place,
    requests: (path: string) => ({
      read: () => files.readTextFile({ sessionId: "s1", path }, context),
      write: async () => files.writeTextFile?.({ sessionId: "s1", path, content: "x" }, context),
      delete: async () => files.deleteFile?.({ sessionId: "s1", path }, context),
      rename: async () => files.renameFile?.({ sessionId: "s1", path, targetPath: join(place.work, "b") }, context),
      place: async () =>
        files.renameFile?.({ sessionId: "s1", path: place.file("work/tool"), targetPath: path }, context),
    }),
  };
}

describe("a long path", () => {
  test.each([
    ["short names", (work: string) => `${work}/${"a/".repeat(500_000)}`],
    ["one name", (work: string) => `${work}/${"a".repeat(10_000_000)}`],
    ["slashes", (work: string) => `${work}${"/".repeat(10_000_000)}a`],
    ["dots", (work: string) => `${work}/${"./".repeat(5_000_000)}a`],
    ["long names that .. removes", (work: string) => `${work}/${"a".repeat(1_000_000)}/${"b/../".repeat(300_000)}`],
    ["a relative path", () => "a/".repeat(500_000)],
    ["NULs", (work: string) => `${work}/${"\0".repeat(1_000_000)}`],
    ["characters of several bytes", (work: string) => `${work}/${"€/".repeat(1_500)}`],
  ])("hostile.long-paths: of %s is refused before anything else happens", async (_, pathIn) => {
    const accesses: FileAccess[] = [];
    const { requests, work } = setup({ onAccess: (access) => accesses.push(access) });
    for (const request of Object.values(requests(pathIn(work)))) {
      const { reason, code, message } = await errorOf(request());
      expect({ reason, code }).toEqual({ reason: "too_long", code: -32602 });
      expect(message.length).toBeLessThan(200);
    }
    expect(readdirSync(work)).toEqual(["tool"]);
    for (const { path, targetPath = "" } of accesses) expect(path.length + targetPath.length).toBeLessThan(10_000);
  });

  test.runIf(posix)("hostile.long-paths: takes linear time within the limits, with a deny list", async () => {
    const { requests, work } = setup({ deny: Array.from({ length: 50 }, () => "**/a/**/a/**/a/**/x*a*a*a*b") });
    const path = `${work}/${"a/".repeat((pathLength - work.length) / 2 - 1)}`;
    const { read, write, delete: remove } = requests(path);
    expect(await errorOf(read())).toMatchObject({ code: -32002 });
    expect(await errorOf(write())).toMatchObject({ reason: "too_long" }); // too many folders to create
    expect(await errorOf(remove())).toMatchObject({ code: -32002 });
    expect(readdirSync(work)).toEqual([]);
  });

  it("hostile.long-paths: creates at most 128 folders", async () => {
    const { requests, work } = setup();
    await requests(`${work}/${"a/".repeat(128)}file`).write();
    expect(await errorOf(requests(`${work}/${"b/".repeat(129)}file`).write())).toMatchObject({ reason: "too_long" });
    expect(readdirSync(work)).toEqual(["a"]);
  });

  test.runIf(posix)("whose first folders exist and whose last folders don't takes few system calls", async () => {
    const { work } = playground();
    const half = join(work, ...Array.from({ length: 700 }, () => "a"));
    mkdirSync(half, { recursive: true });
    const missing = Array.from({ length: 700 }, () => "b");
    expect(await realLocation(join(half, ...missing))).toEqual({ existing: half, missing });
  });

  test.runIf(posix)("that becomes too long for the system by following links is refused", async () => {
    const { work, requests } = setup();
    symlinkSync(`${"a/".repeat(2_000)}a`, join(work, "link"));
    const { read, write } = requests(join(work, "link", ...Array.from({ length: 100 }, () => "b")));
    expect(await errorOf(read())).toMatchObject({ code: -32602 });
    expect(await errorOf(write())).toMatchObject({ code: -32602 });
  });
});

describe("a text of many lines", () => {
  const many = 300_000;
  const max = Number.MAX_SAFE_INTEGER;
  test.each([
    [{ line: many - 1 }, "\n\n"],
    [{ line: many - 1, limit: max }, "\n\n"],
    [{ line: max, limit: max }, ""],
    [{ line: 1, limit: 2 }, "\n\n"],
  ])("hostile.many-lines: is counted in linear time, whatever lines are requested: %j", async (window, expected) => {
    const { work, file } = playground();
    const path = join(work, "open.txt");
    const read = (size: number, path: string) => {
      const overlay = {
        read: ({ path }: { path: string }) => (path.endsWith("open.txt") ? "\n".repeat(size) : undefined),
      };
      return workspaceFiles({ overlay }).readTextFile({ sessionId: "s1", path, ...window }, contextOf(work));
    };
    for (const each of [file("work/saved.txt", "\n".repeat(many)), path])
      expect(await read(many, each)).toEqual({ content: expected });
    expect(await growthOf((size) => read(size, path))).toBeLessThan(LINEAR);
  });

  it("hostile.many-lines: gets the line endings of the file in linear time", async () => {
    const { work, file, content } = playground();
    const path = file("work/a.txt", "a\r\n");
    const files = workspaceFiles({ lineEndings: "keep" });
    for (const unit of ["\r", "\n", "\r\n"]) {
      const write = async (size: number): Promise<void> => {
        const text = unit.repeat(size);
        await files.writeTextFile?.({ sessionId: "s1", path, content: `${text}\r\n` }, contextOf(work));
        expect(content("work/a.txt")).toHaveLength(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n").length + 2);
      };
      expect(await growthOf(write), JSON.stringify(unit)).toBeLessThan(LINEAR);
    }
  });
});

describe("a path within the limits of the system", () => {
  test.runIf(posix)("works with the longest possible name and the longest possible path", async () => {
    const { work, requests } = setup();
    const name = "n".repeat(255);
    expect(await requests(join(work, name)).write()).toEqual({});
    expect(await requests(join(work, name)).read()).toEqual({ content: "x" });
    const names: string[] = [];
    let left = pathLength - work.length;
    for (; left > 256; left -= 256) names.push("d".repeat(255));
    names.push("f".repeat(left - 1));
    const longest = join(work, ...names);
    expect(Buffer.byteLength(longest)).toBe(pathLength);
    expect(
      await requests(longest)
        .read()
        .catch((error) => error.code),
    ).toBe(-32002);
    expect(await errorOf(requests(`${longest}f`).read())).toMatchObject({ reason: "too_long" });
  });
});
