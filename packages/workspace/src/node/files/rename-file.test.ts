import { linkSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { faultyFileSystem } from "../../../test/faulty-file-system.js";
import { contextOf, errorOf, playground } from "../../../test/playground.js";
import { pathsBelow } from "../../../test/tree.js";
import { nodeFileSystem } from "./file-system.js";
import { systemTracking, type Tracking } from "./tracking.js";
import { filesWith, type WorkspaceFiles } from "./workspace-files.js";

const ROUNDS = 100;
const trackings = [...new Set<Tracking>([systemTracking, "path"])];

describe.each(trackings)("renaming (tracking by %s)", (tracking) => {
  function setup(fileSystem = nodeFileSystem) {
    const place = playground();
    const create = () => filesWith({ deleteAndRename: true }, tracking, fileSystem) as Required<WorkspaceFiles>;
    const rename = (files: Required<WorkspaceFiles>, path: string, targetPath: string) =>
      files.renameFile(
        { sessionId: "s1", path: join(place.work, path), targetPath: join(place.work, targetPath) },
        contextOf(place.work),
      );
    return { ...place, create, rename };
  }

  test.each([
    ["hard links", nodeFileSystem],
    ["no hard links", faultyFileSystem((call) => (call === "link" ? "ENOTSUP" : undefined))],
  ])("workspace.no-overwrite: two files to one name at once, one by a link, with %s", async (_, fileSystem) => {
    const { work, file, create, rename } = setup(fileSystem);
    mkdirSync(join(work, "folder"));
    symlinkSync("folder", join(work, "link"));
    const [one, other] = [create(), create()]; // two workspaces share no locks, like two processes
    for (let round = 0; round < ROUNDS; round++) {
      file(`work/a${round}`, "a");
      file(`work/b${round}`, "b");
      const second = round % 2 === 0 ? one : other;
      const results = await Promise.allSettled([
        rename(one, `a${round}`, `folder/${round}`),
        rename(second, `b${round}`, `link/${round}`),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const { reason } = results.find((result) => result.status === "rejected") ?? {};
      expect(reason).toMatchObject({ code: -32602, data: { reason: "exists" } });
    }
    const paths = pathsBelow(work).filter(({ isFile }) => isFile);
    expect(paths).toHaveLength(2 * ROUNDS); // every text is still there, under one name
  });

  it("workspace.no-overwrite: simultaneous writes and renames to one name lose no file", async () => {
    const { work, file, create, rename, content } = setup();
    mkdirSync(join(work, "folder"));
    symlinkSync("folder", join(work, "link"));
    const files = create();
    for (let round = 0; round < ROUNDS; round++) {
      file(`work/a${round}`, "a");
      const path = join(work, "link", `${round}`);
      const [renamed] = await Promise.allSettled([
        rename(files, `a${round}`, `folder/${round}`),
        files.writeTextFile({ sessionId: "s1", path, content: "written" }, contextOf(work)),
      ]);
      if (renamed.status === "rejected") expect(content(`work/a${round}`)).toBe("a");
      expect(content(`work/folder/${round}`)).toBe("written");
    }
  });

  it("creates no folder for a file that does not exist, or for a folder", async () => {
    const { work, create, rename } = setup();
    mkdirSync(join(work, "folder"));
    expect(await errorOf(rename(create(), "missing", "new/deep/a"))).toMatchObject({ code: -32002 });
    expect(await errorOf(rename(create(), "folder", "new/deep/a"))).toMatchObject({ reason: "not_a_file" });
    expect(readdirSync(work)).toEqual(["folder"]);
  });

  it("moves a link itself, and keeps its target", async () => {
    const { work, file, create, rename } = setup();
    file("work/a.txt", "a");
    symlinkSync("a.txt", join(work, "link"));
    await rename(create(), "link", "moved");
    expect(readlinkSync(join(work, "moved"))).toBe("a.txt");
    expect(lstatSync(join(work, "a.txt")).nlink).toBe(1);
  });

  it("refuses folders, also onto an empty folder", async () => {
    const { work, create, rename } = setup();
    mkdirSync(join(work, "a"));
    mkdirSync(join(work, "b"));
    expect(await errorOf(rename(create(), "a", "b"))).toMatchObject({ reason: "not_a_file" });
    expect(await errorOf(rename(create(), "a", "c"))).toMatchObject({ reason: "not_a_file" });
    expect(
      pathsBelow(work)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["a", "b"]);
  });

  it("keeps a file that another process writes to the old name during the renaming", async () => {
    const { work, file, create, rename, content } = setup({
      ...nodeFileSystem,
      async link(path, newPath) {
        await nodeFileSystem.link(path, newPath);
        renameSync(file("work/fresh"), path);
      },
    });
    file("work/a.txt", "a");
    await rename(create(), "a.txt", "b.txt");
    expect(content("work/b.txt")).toBe("a");
    expect(
      pathsBelow(work)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["a.txt", "b.txt"]);
  });

  it.each(["b.txt", "folder", "link"])("refuses a new name that exists: %s", async (taken) => {
    const { work, file, create, rename, content } = setup();
    file("work/a.txt", "a");
    file("work/b.txt", "b");
    mkdirSync(join(work, "folder"));
    symlinkSync("nowhere", join(work, "link"));
    await expect(rename(create(), "a.txt", taken)).rejects.toMatchObject({
      message: "Invalid params: path: a file or folder with this name already exists",
      data: { path: join(work, taken), reason: "exists" },
    });
    expect(content("work/a.txt")).toBe("a");
  });

  it("keeps the other name of a file with two names", async () => {
    const { work, file, create, rename, content } = setup();
    linkSync(file("work/a.txt", "a"), join(work, "other.txt"));
    expect(await errorOf(rename(create(), "a.txt", "other.txt"))).toMatchObject({ reason: "exists" });
    await rename(create(), "a.txt", "b.txt");
    expect(content("work/b.txt")).toBe("a");
    expect(
      pathsBelow(work)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["b.txt", "other.txt"]);
  });
});
