import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { ReadTextFileRequest } from "@acp-kit/types";
import { describe, expect, it, test } from "vitest";
import { contextOf, errorOf, type Playground, playground } from "../../../test/playground.js";
import type { FileAccess, WorkspaceFilesOptions } from "./files-options.js";
import type { OverlayFile } from "./overlay.js";
import { systemTracking } from "./tracking.js";
import { filesWith, type WorkspaceFiles, workspaceFiles } from "./workspace-files.js";

interface Setup extends Playground {
  readonly files: Required<WorkspaceFiles>;
  read(path: string, window?: Pick<ReadTextFileRequest, "line" | "limit">): Promise<string>;
  write(path: string, content: string): Promise<unknown>;
}

function setup(options: WorkspaceFilesOptions = {}, maxScanBytes?: number): Setup {
  const place = playground();
  const all = { deleteAndRename: true, ...options };
  const files = (
    maxScanBytes === undefined ? workspaceFiles(all) : filesWith(all, systemTracking, undefined, maxScanBytes)
  ) as Required<WorkspaceFiles>;
  const context = contextOf(place.work);
  return {
    ...place,
    files,
    read: async (path, window) =>
      (await files.readTextFile({ sessionId: "s1", path: join(place.work, path), ...window }, context)).content,
    write: (path, content) => files.writeTextFile({ sessionId: "s1", path: join(place.work, path), content }, context),
  };
}

const ten = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");

describe("reading", () => {
  test.each([
    [{}, ten],
    [{ line: null, limit: null }, ten],
    [{ line: 3, limit: 2 }, "line 3\nline 4\n"],
    [{ line: 9 }, "line 9\nline 10\n"],
    [{ limit: 2 }, "line 1\nline 2\n"],
    [{ line: 0, limit: 1 }, "line 1\n"],
    [{ line: 2, limit: 0 }, ""],
    [{ line: 10, limit: 100 }, "line 10\n"],
    [{ line: 11 }, ""],
    [{ line: 5_000 }, ""],
  ])("[FS-05] [FS-07] the window %j", async (window, expected) => {
    const { file, read } = setup();
    file("work/ten.txt", ten);
    expect(await read("ten.txt", window)).toBe(expected);
  });

  test.each([{ line: -1 }, { limit: -1 }, { line: 1.5 }, { limit: Number.NaN }])(
    "[FS-06] %j is not a valid window",
    async (window) => {
      const { file, read } = setup();
      file("work/a.txt", ten);
      await expect(async () => read("a.txt", window)).rejects.toMatchObject({ code: -32602 });
    },
  );

  test.each(["a\r\nb\r\n", "\uFEFFa\nb", "a\rb", "no end", "", "\n", "ä€😀\n"])(
    "keeps %j as it is",
    async (content) => {
      const { file, read } = setup();
      file("work/a.txt", content);
      expect(await read("a.txt")).toBe(content);
    },
  );

  it("ends lines at CRLF as at LF", async () => {
    const { file, read } = setup();
    file("work/a.txt", "one\r\ntwo\r\nthree");
    expect(await read("a.txt", { line: 2, limit: 1 })).toBe("two\r\n");
  });

  it("reads lines of a file that is far too large to be read whole", async () => {
    const { file, read } = setup({ maxReadBytes: 1_000 });
    file("work/big.txt", Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}\n`).join(""));
    expect(await read("big.txt", { line: 40_000, limit: 2 })).toBe("line 40000\nline 40001\n");
    expect(await errorOf(read("big.txt"))).toMatchObject({ code: -32602, reason: "too_large" });
    expect(await errorOf(read("big.txt", { line: 40_000, limit: 1_000 }))).toMatchObject({ reason: "too_large" });
  });

  it.each(["maxReadBytes", "maxWriteBytes"])("%s can't be NaN, which would be no limit", (name) => {
    expect(() => workspaceFiles({ [name]: Number.NaN })).toThrow(
      new TypeError(`workspaceFiles.${name} must be a number from 0 to Infinity, not NaN`),
    );
  });

  it("searches for lines only up to a limit of bytes", async () => {
    const { file, read } = setup({}, 100_000);
    file("work/big.txt", "x\n".repeat(200_000));
    expect(await read("big.txt", { line: 10, limit: 1 })).toBe("x\n");
    expect(await errorOf(read("big.txt", { line: 190_000, limit: 1 }))).toMatchObject({ reason: "too_large" });
  });

  it("[FS-10] responds with -32002 for a missing file", async () => {
    const { read } = setup();
    expect(await errorOf(read("none.txt"))).toMatchObject({ code: -32002 });
    expect(await errorOf(read("no/folder/none.txt"))).toMatchObject({ code: -32002 });
  });

  it("responds with empty text for a missing file if the option missing is set, but never for a refused file", async () => {
    const { read, outside, files } = setup({ missing: "empty", deny: ["*.key"] });
    expect(await read("none.txt")).toBe("");
    expect(await errorOf(read("none.key"))).toMatchObject({ reason: "denied" });
    const missing = { sessionId: "s1", path: join(outside, "none.txt") };
    await expect(files.readTextFile(missing, contextOf(join(outside, "..", "work")))).rejects.toMatchObject({
      code: -32602,
    });
  });

  test.each([
    ["NUL", Uint8Array.of(0x61, 0, 0x62)],
    ["Latin-1", Uint8Array.of(0xe4, 0x6e, 0x64)],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x61, 0)],
    ["a character that is cut off", Uint8Array.of(0x61, 0xe2, 0x82)],
  ])("refuses %s", async (_, content) => {
    const { file, read } = setup();
    file("work/a.bin", content);
    expect(await errorOf(read("a.bin"))).toMatchObject({ code: -32602, reason: "not_text" });
  });

  it("refuses folders", async () => {
    const { work, read } = setup();
    mkdirSync(join(work, "folder"));
    expect(await errorOf(read("folder"))).toMatchObject({ code: -32602, reason: "not_a_file" });
    expect(await errorOf(read("."))).toMatchObject({ code: -32602, reason: "not_a_file" });
  });

  it("ends when the request is cancelled", async () => {
    const { file, work, files } = setup();
    file("work/a.txt", "x");
    const reason = new Error("called off");
    const context = { ...contextOf(work), signal: AbortSignal.abort(reason) };
    await expect(files.readTextFile({ sessionId: "s1", path: join(work, "a.txt") }, context)).rejects.toBe(reason);
  });
});

describe("writing", () => {
  it("[FS-08] creates the file and its folders, with exactly that content", async () => {
    const { write, read, work } = setup();
    expect(await write("a/b/c.txt", "\uFEFFä\r\n")).toEqual({});
    expect(await read("a/b/c.txt")).toBe("\uFEFFä\r\n");
    expect(readdirSync(join(work, "a", "b"))).toEqual(["c.txt"]);
  });

  it("[FS-13] replaces the whole file, and keeps its permissions", async () => {
    const { file, write, read } = setup();
    const script = file("work/run.sh", "a long text that was there before");
    chmodSync(script, 0o751);
    await write("run.sh", "short");
    expect(await read("run.sh")).toBe("short");
    expect(statSync(script).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o751);
  });

  it("workspace.whole-files: is atomic, and a hard link keeps the old text", async () => {
    const { file, write, work, outside, read } = setup();
    linkSync(file("work/a.txt", "old"), join(outside, "linked.txt"));
    await write("a.txt", "new");
    expect(await read("a.txt")).toBe("new");
    expect(statSync(join(outside, "linked.txt")).size).toBe(3);
    expect(readdirSync(work)).toEqual(["a.txt"]);
  });

  it("writes through a link to its target, and keeps the link", async () => {
    const { file, write, work, read } = setup();
    file("work/real/a.txt", "old");
    symlinkSync(join("real", "a.txt"), join(work, "link.txt"));
    await write("link.txt", "new");
    expect(await read("real/a.txt")).toBe("new");
    expect(lstatSync(join(work, "link.txt")).isSymbolicLink()).toBe(true);
  });

  it("creates the target of a dangling link inside", async () => {
    const { write, work, read } = setup();
    symlinkSync(join("new", "a.txt"), join(work, "link.txt"));
    await write("link.txt", "there");
    expect(await read("new/a.txt")).toBe("there");
  });

  it("runs simultaneous requests in their order", async () => {
    const { write, read } = setup();
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
    const seen = texts.flatMap((text) => [write("a.txt", text), read("a.txt")]);
    const read2 = (await Promise.all(seen)).filter((each) => typeof each === "string");
    expect(read2).toEqual(texts);
  });

  it("refuses text larger than the limit, and entries that aren't files", async () => {
    const { write, file, work, untouched } = setup({ maxWriteBytes: 10 });
    file("work/file.txt", "x");
    mkdirSync(join(work, "folder"));
    expect(await errorOf(write("a.txt", "ä".repeat(6)))).toMatchObject({ code: -32602, reason: "too_large" });
    expect(await errorOf(write("folder", "x"))).toMatchObject({ reason: "not_a_file" });
    expect(await errorOf(write(".", "x"))).toMatchObject({ reason: "not_a_file" });
    expect(await errorOf(write(".", "x"))).toMatchObject({ code: -32602 });
    expect(await errorOf(write("file.txt/below", "x"))).toMatchObject({ reason: "not_a_file" });
    expect(readdirSync(work).sort()).toEqual(["file.txt", "folder"]);
    expect(Object.keys(untouched())).toHaveLength(1);
  });

  test.each([
    ["a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n"],
    ["a\nb\n", "x\r\ny\r\n", "x\ny\n"],
    ["a\r\nb\n", "x\ny\r\n", "x\ny\r\n"],
    ["\uFEFFa\n", "x\n", "\uFEFFx\n"],
    ["\uFEFFa\n", "\uFEFFx\n", "\uFEFFx\n"],
  ])("keeps the line ends and the mark of %j, by option", async (old, content, expected) => {
    const { file, write, read } = setup({ lineEndings: "keep" });
    file("work/a.txt", old);
    await write("a.txt", content);
    expect(await read("a.txt")).toBe(expected);
    await write("new.txt", content);
    expect(await read("new.txt")).toBe(content);
  });

  test.each([
    ["\r\n", "\r\n"],
    ["\n", "\n"],
  ])("keeps line endings %j that come late in a file, by option", async (newline, expected) => {
    const { file, write, read } = setup({ lineEndings: "keep" });
    for (const length of [65_535, 65_536, 300_000, 1_000_000]) {
      file("work/a.txt", `${"x".repeat(length)}${newline}`);
      await write("a.txt", "a\nb\r\nc\n");
      expect(await read("a.txt")).toBe(["a", "b", "c", ""].join(expected));
    }
  });

  it("refuses text that exceeds the limit once it has the line endings of the file", async () => {
    const { file, write, content } = setup({ lineEndings: "keep", maxWriteBytes: 10 });
    file("work/a.txt", "a\r\n");
    expect(await errorOf(write("a.txt", "\n".repeat(6)))).toMatchObject({ reason: "too_large" });
    await write("a.txt", "\n".repeat(5));
    expect(content("work/a.txt")).toBe("\r\n".repeat(5));
  });

  it("detects mixed line endings at any position in a file", async () => {
    const { file, write, read } = setup({ lineEndings: "keep" });
    file("work/a.txt", `${"x\n".repeat(200_000)}x\r\n`);
    await write("a.txt", "a\nb\r\n");
    expect(await read("a.txt")).toBe("a\nb\r\n");
  });

  test.runIf(process.platform === "linux").each([0o4755, 0o2755, 0o1644, 0o7751])(
    "keeps all bits of the mode %o",
    async (mode) => {
      const { file, write } = setup();
      const path = file("work/a.txt", "old");
      chmodSync(path, mode);
      await write("a.txt", "new");
      expect((statSync(path).mode & 0o7777).toString(8)).toBe(mode.toString(8));
    },
  );

  test.runIf(process.getuid?.() === 0)("keeps the set-user-id bit together with the owner", async () => {
    const { file, write } = setup();
    const path = file("work/a.txt", "old");
    chownSync(path, 1_234, 1_234);
    chmodSync(path, 0o6755);
    await write("a.txt", "new");
    expect(statSync(path)).toMatchObject({ uid: 1_234, gid: 1_234 });
    expect((statSync(path).mode & 0o7777).toString(8)).toBe("6755");
  });

  it("isn't offered if all roots are read-only", () => {
    expect(Object.keys(workspaceFiles({ readOnly: true, deleteAndRename: true }))).toEqual(["readTextFile"]);
  });
});

describe("roots", () => {
  it("[FS-12] [DIR-13] are those of the session: its working directory and the additional ones", async () => {
    const { file, files, work, outside } = setup();
    const more = file("more/a.txt", "more");
    const params = { sessionId: "s1", path: more };
    expect(await files.readTextFile(params, contextOf(work, join(more, "..")))).toEqual({ content: "more" });
    expect(await errorOf(files.readTextFile(params, contextOf(work)))).toMatchObject({
      code: -32602,
      reason: "outside",
    });
    const secret = { sessionId: "s1", path: join(outside, "secret.txt") };
    expect(await errorOf(files.readTextFile(secret, contextOf(work)))).toMatchObject({ reason: "outside" });
  });

  it.each(["error", "empty"] as const)("of an unknown session: -32002, with missing %s", async (missing) => {
    const { file, files } = setup({ missing });
    const context = { session: undefined, signal: new AbortController().signal };
    const params = { sessionId: "s9", path: file("work/a.txt") };
    expect(await errorOf(files.readTextFile(params, context))).toMatchObject({ code: -32002 });
  });

  it("as a list apply to every session; the innermost decides whether it is read-only", async () => {
    const place = playground();
    place.file("work/vendor/lib.txt", "lib");
    place.file("work/vendor/ours/a.txt", "ours");
    const files = workspaceFiles({
      roots: [
        place.work,
        { path: join(place.work, "vendor"), readOnly: true },
        { path: join(place.work, "vendor", "ours") },
      ],
    });
    const context = { session: undefined, signal: new AbortController().signal };
    const write = async (path: string) =>
      files.writeTextFile?.({ sessionId: "s1", path: join(place.work, path), content: "x" }, context);
    expect(await errorOf(write("vendor/lib.txt"))).toMatchObject({ code: -32602, reason: "read_only" });
    expect(await errorOf(write("vendor/new/lib.txt"))).toMatchObject({ reason: "read_only" });
    await write("vendor/ours/a.txt");
    await write("a.txt");
    expect(place.content("work/vendor/lib.txt")).toBe("lib");
    expect(place.content("work/vendor/ours/a.txt")).toBe("x");
  });

  it("can be a function of the session", async () => {
    const place = playground();
    place.file("work/deep/a.txt", "a");
    const files = workspaceFiles({ roots: (session) => (session?.roots ?? []).map((root) => join(root, "deep")) });
    const read = (path: string) =>
      files.readTextFile({ sessionId: "s1", path: join(place.work, path) }, contextOf(place.work));
    expect(await read("deep/a.txt")).toEqual({ content: "a" });
    expect(await errorOf(read("a.txt"))).toMatchObject({ reason: "outside" });
  });
});

describe("denied files", () => {
  const deny = [".env*", ".git/hooks", "**/secrets/**", "*.pem"];
  test.each([".env", "a/b/.env.local", ".ENV", ".git/hooks", ".git/hooks/pre-commit", "a/secrets/b.txt", "x.PEM"])(
    "%s can't be read or written",
    async (path) => {
      const { file, read, write } = setup({ deny });
      file(`work/${path}`, "hidden");
      expect(await errorOf(read(path))).toMatchObject({ code: -32602, reason: "denied" });
      expect(await errorOf(write(path, "x"))).toMatchObject({ code: -32602, reason: "denied" });
    },
  );

  test.each(["env", "a/.git/hooks/x", "secrets.txt", "x.pem.txt"])("%s can", async (path) => {
    const { file, read } = setup({ deny });
    file(`work/${path}`, "shown");
    expect(await read(path)).toBe("shown");
  });

  it("are denied through links, by the name of the link and by the name of the target", async () => {
    const { file, work, read, write } = setup({ deny });
    file("work/.env", "hidden");
    file("work/open.txt", "shown");
    symlinkSync(".env", join(work, "innocent.txt"));
    symlinkSync("open.txt", join(work, "key.pem"));
    expect(await errorOf(read("innocent.txt"))).toMatchObject({ reason: "denied" });
    expect(await errorOf(write("innocent.txt", "x"))).toMatchObject({ reason: "denied" });
    expect(await errorOf(read("key.pem"))).toMatchObject({ reason: "denied" });
  });

  it("workspace.denied-files: are denied in nested roots, by every path and link", async () => {
    const place = playground();
    place.file("work/.git/hooks/pre-commit", "hidden");
    place.file("work/.git/inner/a.txt", "a");
    symlinkSync(join("hooks"), join(place.work, ".git", "link"));
    symlinkSync(join("..", "hooks"), join(place.work, ".git", "inner", "link"));
    const files = workspaceFiles({ deny: [".git/hooks"], deleteAndRename: true });
    const inner = join(place.work, ".git");
    for (const roots of [
      [place.work, inner],
      [inner, place.work],
      [place.work, join(inner, "inner"), inner],
    ]) {
      const context = contextOf(...roots);
      for (const name of ["hooks/pre-commit", "link/pre-commit", "link/new", "inner/link/pre-commit"]) {
        const params = { sessionId: "s1", path: join(inner, name) };
        const target = { sessionId: "s1", path: join(inner, "inner/a.txt"), targetPath: params.path };
        expect(await errorOf(files.readTextFile(params, context))).toMatchObject({ reason: "denied" });
        const changes = [
          files.writeTextFile?.({ ...params, content: "x" }, context),
          files.deleteFile?.(params, context),
          files.renameFile?.(target, context),
        ];
        for (const change of changes)
          expect(await errorOf(Promise.resolve(change))).toMatchObject({ reason: "denied" });
      }
    }
    expect(place.content("work/.git/hooks/pre-commit")).toBe("hidden");
    expect(readdirSync(join(inner, "hooks"))).toEqual(["pre-commit"]);
  });

  it("workspace.denied-files: can't be read through a hard link in their folder or below it", async () => {
    const { file, work, read, write } = setup({ deny: [".env*", "config/*.key"] });
    const env = file("work/.env", "hidden");
    const key = file("work/config/a.key", "hidden");
    file("work/deep/er/a.txt", "shown");
    linkSync(env, join(work, "innocent.txt"));
    linkSync(env, join(work, "deep", "er", "innocent.txt"));
    linkSync(key, join(work, "config", "innocent.txt"));
    linkSync(join(work, "deep", "er", "a.txt"), join(work, "linked.txt"));
    for (const path of ["innocent.txt", "deep/er/innocent.txt", "config/innocent.txt"]) {
      expect(await errorOf(read(path))).toMatchObject({ code: -32602, reason: "denied" });
    }
    expect(await read("linked.txt")).toBe("shown");
    await write("innocent.txt", "new"); // replaces this name only
    expect(statSync(env).size).toBe("hidden".length);
    expect(await read("innocent.txt")).toBe("new");
  });

  it("workspace.denied-files: and files outside can't be read through any hard link if hardLinks is refuse", async () => {
    const { file, work, read, write } = setup({ deny: [".env*", "*.pem", ".git"], hardLinks: "refuse" });
    const hidden = file("work/sub/.env", "hidden");
    const config = file("work/.git/config", "hidden");
    const outside = file("elsewhere/secret.txt", "hidden");
    file("work/other/alone.txt", "shown");
    linkSync(hidden, join(work, "other", "sub.txt"));
    linkSync(config, join(work, "config.txt"));
    linkSync(outside, join(work, "outside.txt"));
    for (const path of ["other/sub.txt", "config.txt", "outside.txt"]) {
      expect(await errorOf(read(path))).toMatchObject({ code: -32602, reason: "denied" });
    }
    expect(await read("other/alone.txt")).toBe("shown");
    await write("outside.txt", "new"); // replaces this name only
    expect(await read("outside.txt")).toBe("new");
    expect(readFileSync(outside, "utf8")).toBe("hidden");
  });

  it("refuses an unknown choice for hard links", () => {
    expect(() => workspaceFiles({ hardLinks: "no" as "refuse" })).toThrow(
      'workspaceFiles: the option "hardLinks" must be "search" or "refuse", not "no"',
    );
  });

  test.each([
    ".git/config",
    ".git/hooks/x",
    ".git/modules/a/hooks/x",
    "module/.git",
    ".git/worktrees/a/config",
    ".GIT/x",
  ])("workspace.denied-files: %s is denied by the pattern of the README", async (path) => {
    const { file, read, write } = setup({ deny: [".env*", "*.pem", ".git"] });
    expect(await errorOf(write(path, "x"))).toMatchObject({ reason: "denied" });
    file(`work/${path}`, "hidden");
    expect(await errorOf(read(path))).toMatchObject({ reason: "denied" });
    expect(await errorOf(write(path, "x"))).toMatchObject({ reason: "denied" });
  });

  test.each(["", "/", "../a", "a/../b"])("%j is not a valid pattern", (pattern) => {
    expect(() => workspaceFiles({ deny: [pattern] })).toThrow(TypeError);
  });
});

describe("an overlay", () => {
  it("[FS-04] is read instead of the file, also for a range of lines and for missing files", async () => {
    const { file, read, work } = setup({
      overlay: { read: ({ path }) => (path.endsWith("open.txt") ? "one\ntwo\nthree\n" : undefined) },
    });
    file("work/open.txt", "saved");
    file("work/closed.txt", "saved");
    expect(await read("open.txt")).toBe("one\ntwo\nthree\n");
    expect(await read("open.txt", { line: 2, limit: 1 })).toBe("two\n");
    expect(await read("closed.txt")).toBe("saved");
    expect(await read("new/open.txt")).toBe("one\ntwo\nthree\n");
    expect(readdirSync(work).sort()).toEqual(["closed.txt", "open.txt"]);
  });

  it("receives the real path, and is called only for allowed paths", async () => {
    const asked: OverlayFile[] = [];
    const { file, work, outside, read } = setup({
      deny: [".env"],
      overlay: { read: (each) => void asked.push(each) as undefined },
    });
    file("work/real.txt", "x");
    symlinkSync("real.txt", join(work, "link.txt"));
    symlinkSync(outside, join(work, "out"));
    await read("link.txt");
    await errorOf(read("out/secret.txt"));
    await errorOf(read(".env"));
    expect(asked).toEqual([{ sessionId: "s1", path: join(work, "link.txt"), realPath: join(work, "real.txt") }]);
  });

  it("can write instead of the library, or be notified of a write", async () => {
    const told: unknown[] = [];
    const { write, work } = setup({
      overlay: {
        write: async ({ path }, content) => path.endsWith("open.txt") && told.push(["taken", content]) > 0,
        written: ({ realPath }, content) => told.push(["written", realPath, content]),
      },
    });
    await write("open.txt", "1");
    await write("closed.txt", "2");
    expect(told).toEqual([
      ["taken", "1"],
      ["written", join(work, "closed.txt"), "2"],
    ]);
    expect(readdirSync(work)).toEqual(["closed.txt"]);
  });
});

describe("every access", () => {
  it("is reported, whether it is allowed, refused or fails", async () => {
    const accesses: FileAccess[] = [];
    const { file, files, read, write, work, outside } = setup({ onAccess: (access) => accesses.push(access) });
    file("work/a.txt", "ä");
    await read("a.txt");
    await write("b.txt", "four");
    await errorOf(read("none.txt"));
    await errorOf(read("../outside/secret.txt"));
    const rename = { sessionId: "s1", path: join(work, "b.txt"), targetPath: join(work, "c.txt") };
    await files.renameFile(rename, contextOf(work));
    await files.deleteFile({ sessionId: "s1", path: join(work, "c.txt") }, contextOf(work));
    const at = (kind: string, name: string) => ({ kind, sessionId: "s1", path: join(work, name) });
    expect(accesses).toEqual([
      { ...at("read", "a.txt"), realPath: join(work, "a.txt"), outcome: "done", bytes: 2 },
      { ...at("write", "b.txt"), realPath: join(work, "b.txt"), outcome: "done", bytes: 4 },
      { ...at("read", "none.txt"), realPath: join(work, "none.txt"), outcome: "failed", reason: undefined },
      { kind: "read", sessionId: "s1", path: join(outside, "secret.txt"), outcome: "refused", reason: "outside" },
      { ...at("rename", "b.txt"), targetPath: join(work, "c.txt"), realPath: join(work, "b.txt"), outcome: "done" },
      { ...at("delete", "c.txt"), realPath: join(work, "c.txt"), outcome: "done" },
    ]);
  });

  it("happens even if the listener throws", async () => {
    const { file, read } = setup({
      onAccess: () => {
        throw new Error("full disk");
      },
    });
    file("work/a.txt", "a");
    expect(await read("a.txt")).toBe("a");
  });
});

describe("deleting and renaming", () => {
  it("are offered only with deleteAndRename", () => {
    expect(Object.keys(workspaceFiles())).toEqual(["readTextFile", "writeTextFile"]);
    expect(Object.keys(workspaceFiles({ deleteAndRename: true }))).toEqual([
      "readTextFile",
      "writeTextFile",
      "deleteFile",
      "renameFile",
    ]);
  });

  it("delete the file, or the link and not its target, and no folder", async () => {
    const { file, files, work } = setup();
    file("work/a.txt", "a");
    mkdirSync(join(work, "folder"));
    symlinkSync("a.txt", join(work, "link.txt"));
    const remove = (name: string) => files.deleteFile({ sessionId: "s1", path: join(work, name) }, contextOf(work));
    await remove("link.txt");
    expect(readdirSync(work).sort()).toEqual(["a.txt", "folder"]);
    await remove("a.txt");
    expect(await errorOf(remove("a.txt"))).toMatchObject({ code: -32002 });
    expect(await errorOf(remove("folder"))).toMatchObject({ reason: "not_a_file" });
    expect(await errorOf(remove("."))).toMatchObject({ reason: "not_a_file" });
    expect(await errorOf(remove("."))).toMatchObject({ code: -32602 });
    expect(readdirSync(work)).toEqual(["folder"]);
  });

  it("rename into new folders, and never onto an existing entry", async () => {
    const told: string[] = [];
    const { file, files, work, read } = setup({
      overlay: { renamed: (from, to) => told.push(`${from.realPath} > ${to.realPath}`) },
    });
    file("work/a.txt", "a");
    file("work/b.txt", "b");
    const rename = (path: string, targetPath: string) =>
      files.renameFile(
        { sessionId: "s1", path: join(work, path), targetPath: join(work, targetPath) },
        contextOf(work),
      );
    await rename("a.txt", "x/y/a.txt");
    expect(await read("x/y/a.txt")).toBe("a");
    expect(await errorOf(rename("b.txt", "x/y/a.txt"))).toMatchObject({ reason: "exists" });
    expect(await errorOf(rename("none.txt", "c.txt"))).toMatchObject({ code: -32002 });
    expect(await errorOf(rename("x", "z"))).toMatchObject({ reason: "not_a_file" });
    expect(told).toEqual([`${join(work, "a.txt")} > ${join(work, "x", "y", "a.txt")}`]);
  });

  it("check both paths of a renaming", async () => {
    const { file, files, work, outside, untouched } = setup({ deny: ["*.key"] });
    file("work/a.txt", "a");
    file("work/b.key", "b");
    symlinkSync(outside, join(work, "out"));
    const rename = (path: string, targetPath: string) =>
      files.renameFile(
        { sessionId: "s1", path: join(work, path), targetPath: join(work, targetPath) },
        contextOf(work),
      );
    expect(await errorOf(rename("a.txt", "../outside/a.txt"))).toMatchObject({ reason: "outside" });
    expect(await errorOf(rename("a.txt", "out/a.txt"))).toMatchObject({ reason: "outside" });
    expect(await errorOf(rename("out/secret.txt", "mine.txt"))).toMatchObject({ reason: "outside" });
    expect(await errorOf(rename("b.key", "b.txt"))).toMatchObject({ reason: "denied" });
    expect(await errorOf(rename("a.txt", "a.key"))).toMatchObject({ reason: "denied" });
    const gone = files.deleteFile({ sessionId: "s1", path: join(work, "out", "secret.txt") }, contextOf(work));
    expect(await errorOf(gone)).toMatchObject({ reason: "outside" });
    expect(untouched()).toEqual({ [join(outside, "secret.txt")]: "SECRET" });
  });
});
