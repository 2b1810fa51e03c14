import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, sep } from "node:path";
import { describe, expect, it, test } from "vitest";
import { contextOf, errorOf, type Playground, playground } from "../../../test/playground.js";
import type { WorkspaceFilesOptions } from "./files-options.js";
import { systemTracking, type Tracking } from "./tracking.js";
import { filesWith } from "./workspace-files.js";

const posix = process.platform !== "win32";
/** Both kinds of tracking. No file moves during these tests, so both must be safe on every system. */
const trackings = [...new Set<Tracking>([systemTracking, "path"])];

describe.each(trackings)("an agent that tries to escape (tracking by %s)", (tracking) => {
  function setup(options: WorkspaceFilesOptions = {}) {
    const place = playground();
    const files = filesWith({ deleteAndRename: true, ...options }, tracking);
    const context = contextOf(place.work);
    const secret = join(place.outside, "secret.txt");
    const ask = (path: string) => ({
      read: () => files.readTextFile({ sessionId: "s1", path }, context),
      write: async () => files.writeTextFile?.({ sessionId: "s1", path, content: "EVIL" }, context),
      delete: async () => files.deleteFile?.({ sessionId: "s1", path }, context),
      rename: async () => files.renameFile?.({ sessionId: "s1", path, targetPath: join(place.work, "mine") }, context),
      place: async () =>
        files.renameFile?.({ sessionId: "s1", path: place.file("work/tool"), targetPath: path }, context),
    });
    return { ...place, files, ask, secret };
  }

  /** Expects that every method refuses the path with the given reason, and that nothing outside has changed. */
  async function expectRefused(path: string, { ask, untouched, secret, ...place }: ReturnType<typeof setup>) {
    const methods = ask(path);
    for (const method of Object.values(methods)) {
      expect(await errorOf(method())).toMatchObject({ code: -32602, reason: "outside" });
    }
    expect(untouched()).toEqual({ [secret]: "SECRET" });
    expect(readdirSync(place.path).sort()).toEqual(expect.arrayContaining(["outside", "work"]));
  }

  test.each([
    ["an absolute path elsewhere", ({ outside }: Playground) => join(outside, "secret.txt")],
    ["a file elsewhere that doesn't exist", ({ outside }: Playground) => join(outside, "none.txt")],
    ["a folder elsewhere that doesn't exist", ({ outside }: Playground) => join(outside, "none", "none.txt")],
    ["..", ({ work }: Playground) => `${work}${sep}..${sep}outside${sep}secret.txt`],
    [".. behind a folder that doesn't exist", ({ work }: Playground) => `${work}/none/../../outside/secret.txt`],
    ["many ..", ({ work }: Playground) => `${work}${"/..".repeat(40)}/etc/passwd`],
    ["slashes in a row", ({ work }: Playground) => `${work}//..//outside///secret.txt`],
    ["a folder whose name begins with the root's", ({ path }: Playground) => join(path, "work-2", "a.txt")],
    ["the root's name in another case", ({ path }: Playground) => join(path, "WORK-2", "a.txt")],
    ["the folder of the root", ({ path }: Playground) => path],
    ["the top of the file system", () => (posix ? "/" : "C:\\")],
  ])("workspace.never-outside: is refused %s", async (_, pathIn) => {
    const place = setup();
    place.file("work-2/a.txt", "neighbour");
    await expectRefused(pathIn(place), place);
    expect(place.content("work-2/a.txt")).toBe("neighbour");
  });

  test.each([
    ["a file", (place: Playground) => symlinkSync(join(place.outside, "secret.txt"), join(place.work, "link"))],
    ["a file, by a relative link", ({ work }: Playground) => symlinkSync("../outside/secret.txt", join(work, "link"))],
    ["a file that isn't there", ({ work }: Playground) => symlinkSync("../outside/none.txt", join(work, "link"))],
    [
      "a file in a folder that isn't there",
      ({ work }: Playground) => symlinkSync("../outside/a/b", join(work, "link")),
    ],
    [
      "a link that leads outside",
      ({ work }: Playground) => {
        symlinkSync("../outside/secret.txt", join(work, "second"));
        symlinkSync("second", join(work, "link"));
      },
    ],
    [
      "a link outside whose target is missing",
      ({ work, outside }: Playground) => {
        symlinkSync("nothing", join(outside, "dangling"));
        symlinkSync("../outside/dangling", join(work, "link"));
      },
    ],
  ])("workspace.never-outside: is refused to read or write through a link to %s", async (_, make) => {
    const place = setup();
    make(place);
    const before = place.untouched();
    const { read, write } = place.ask(join(place.work, "link"));
    expect(await errorOf(read())).toMatchObject({ code: -32602, reason: "outside" });
    expect(await errorOf(write())).toMatchObject({ code: -32602, reason: "outside" });
    expect(place.untouched()).toEqual(before);
  });

  test.each([
    ["the folder itself", "link/secret.txt"],
    ["something new in it", "link/new.txt"],
    ["something new in something new in it", "link/a/b/c.txt"],
  ])("workspace.never-outside: is refused through a link to a folder: %s", async (_, path) => {
    const place = setup();
    symlinkSync(place.outside, join(place.work, "link"));
    const { read, write, delete: remove, rename, place: put } = place.ask(join(place.work, path));
    for (const method of [read, write, remove, rename, put]) {
      const { code } = await errorOf(method());
      expect(code === -32602 || code === -32002).toBe(true);
    }
    expect(place.untouched()).toEqual({ [place.secret]: "SECRET" });
  });

  it("removes .. before it follows links", async () => {
    const place = setup();
    symlinkSync(place.outside, join(place.work, "link"));
    await place.ask(`${place.work}/link/../secret.txt`).write();
    expect(readdirSync(place.work).sort()).toEqual(["link", "secret.txt"]);
    expect(place.untouched()).toEqual({ [place.secret]: "SECRET" });
  });

  it("can't use links in a circle", async () => {
    const place = setup();
    symlinkSync("b", join(place.work, "a"));
    symlinkSync("a", join(place.work, "b"));
    const { read, write } = place.ask(join(place.work, "a"));
    expect(await errorOf(read())).toMatchObject({ code: -32602, reason: "outside" });
    expect(await errorOf(write())).toMatchObject({ code: -32602, reason: "outside" });
  });

  it("gets the same error for every path outside, whether the path exists or not", async () => {
    const place = setup();
    symlinkSync(place.outside, join(place.work, "link"));
    const told = async (name: string) => {
      const { message } = await errorOf(place.ask(join(place.work, "link", name)).read());
      return message;
    };
    expect(await told("secret.txt")).toBe(await told("nothing.txt"));
    expect(await told("secret.txt")).not.toContain(place.outside);
  });

  it("can follow links that stay inside, and a root that is a link", async () => {
    const place = playground();
    place.file("work/real/a.txt", "a");
    symlinkSync("real", join(place.work, "link"));
    symlinkSync("work", join(place.path, "root"));
    const files = filesWith({}, tracking);
    const context = contextOf(join(place.path, "root"));
    for (const path of ["root/link/a.txt", "root/real/a.txt", "work/link/a.txt"]) {
      expect(await files.readTextFile({ sessionId: "s1", path: join(place.path, path) }, context)).toEqual({
        content: "a",
      });
    }
    await files.writeTextFile?.({ sessionId: "s1", path: join(place.path, "root/link/b.txt"), content: "b" }, context);
    expect(place.content("work/real/b.txt")).toBe("b");
  });

  it("workspace.never-outside: gains nothing by replacing the root with a link", async () => {
    const place = setup();
    place.file("work/a.txt", "a");
    await place.ask(join(place.work, "a.txt")).read();
    renameSync(place.work, join(place.path, "moved"));
    symlinkSync(place.outside, place.work);
    const { read, write } = place.ask(join(place.work, "secret.txt"));
    expect(await errorOf(read())).toMatchObject({ reason: "outside" });
    expect(await errorOf(write())).toMatchObject({ reason: "outside" });
    expect(place.untouched()).toEqual({ [place.secret]: "SECRET" });
  });

  it("can't recreate a deleted root by writing below it", async () => {
    const place = setup();
    const { read, write } = place.ask(place.file("work/a.txt", "a"));
    await read();
    rmSync(place.work, { recursive: true });
    expect(await errorOf(read())).toMatchObject({ code: -32002 });
    expect(await errorOf(write())).toMatchObject({ code: -32602, reason: "outside" });
    expect(readdirSync(place.path)).toEqual(["outside"]);
    const never = filesWith({ roots: [join(place.path, "never")] }, tracking);
    const request = { sessionId: "s1", path: join(place.path, "never", "a.txt") };
    expect(await errorOf(never.readTextFile(request, contextOf()))).toMatchObject({ reason: "outside" });
  });

  it("changes only one name of a file with hard links: the other name keeps the old content", async () => {
    const place = setup();
    linkSync(place.secret, join(place.work, "hard"));
    await place.ask(join(place.work, "hard")).write();
    expect(place.content("work/hard")).toBe("EVIL");
    expect(place.untouched()).toEqual({ [place.secret]: "SECRET" });
  });

  test.runIf(posix)("is not blocked by pipes, sockets and devices", async () => {
    const place = setup();
    execFileSync("mkfifo", [join(place.work, "pipe")]);
    const server = createServer().listen(join(place.work, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    symlinkSync("/dev/zero", join(place.work, "zero"));
    try {
      for (const name of ["pipe", "socket"]) {
        const methods = place.ask(join(place.work, name));
        for (const method of [methods.read, methods.write, methods.delete]) {
          expect(await errorOf(method())).toMatchObject({ code: -32602, reason: "not_a_file" });
        }
      }
      expect(await errorOf(place.ask(join(place.work, "zero")).read())).toMatchObject({ reason: "outside" });
      const devices = filesWith({ roots: ["/dev"] }, tracking);
      const zero = devices.readTextFile({ sessionId: "s1", path: "/dev/zero" }, contextOf());
      expect(await errorOf(zero)).toMatchObject({ reason: "not_a_file" });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test.runIf(process.platform === "linux")("reads an endless file only up to the limit", async () => {
    // /proc reports a size of 0 for its files, whatever they contain.
    const files = filesWith({ roots: ["/proc"], maxReadBytes: 10 }, tracking);
    const status = files.readTextFile({ sessionId: "s1", path: "/proc/meminfo" }, contextOf());
    expect(await errorOf(status)).toMatchObject({ reason: "too_large" });
  });

  test.each([
    ["a NUL", (work: string) => `${work}/a\0.txt`],
    ["a name that is too long", (work: string) => join(work, "x".repeat(300))],
  ])("is refused %s", async (_, pathIn) => {
    const place = setup();
    const { write } = place.ask(pathIn(place.work));
    expect(await errorOf(write())).toMatchObject({ code: -32602 });
    expect(readdirSync(place.work)).toEqual([]);
  });

  test.each(["a.txt", "./a.txt", "~/a.txt", "file:///etc/passwd", "C:a.txt", ""])(
    "[FS-03] can't use the relative path %j",
    async (path) => {
      const { read, write } = setup().ask(path);
      expect(await errorOf(read())).toMatchObject({ code: -32602, reason: "not_absolute" });
      expect(await errorOf(write())).toMatchObject({ code: -32602, reason: "not_absolute" });
    },
  );

  test
    .runIf(posix)
    .each(["..a", "a..", "...", " ", "a\nb", "\u202Etxt.exe", "'; rm -rf .", "-rf", "%2e%2e", "a\\..\\b", "*"])(
    "may name a file %j",
    async (name) => {
      const place = setup();
      await place.ask(join(place.work, name)).write();
      expect(readdirSync(place.work)).toEqual([name]);
      expect(await place.ask(join(place.work, name)).read()).toEqual({ content: "EVIL" });
    },
  );

  it("reads a file whose name looks like a deletion marker", async () => {
    const place = setup();
    const path = place.file("work/a.txt (deleted)", "here");
    expect(await place.ask(path).read()).toEqual({ content: "here" });
  });

  it("causes no leftover temporary file when a write fails", async () => {
    const place = setup();
    mkdirSync(join(place.work, "folder"));
    writeFileSync(join(place.work, "folder", "a"), "");
    await errorOf(place.ask(join(place.work, "folder")).write());
    expect(readdirSync(place.work)).toEqual(["folder"]);
  });
});
