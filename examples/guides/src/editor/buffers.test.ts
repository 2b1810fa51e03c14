import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceContext } from "@acp-kit/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buffers, editorFiles } from "./buffers.js";

let root: string;
let workspace: string;
let secret: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-editor-")));
  workspace = join(root, "workspace");
  secret = join(root, "secret.txt");
  for (const name of ["workspace", "workspace/.git", "workspace-2"]) mkdirSync(join(root, name));
  for (const name of ["secret.txt", "workspace/.env", "workspace/.git/config", "workspace-2/secret.txt"]) {
    writeFileSync(join(root, name), "SECRET");
  }
  symlinkSync(secret, join(workspace, "link.txt"));
  symlinkSync("..", join(workspace, "up"));
  symlinkSync(join(root, "new.txt"), join(workspace, "dangling.txt"));
});
afterEach(() => {
  buffers.clear();
  rmSync(root, { recursive: true });
});

const context: WorkspaceContext = { session: undefined, signal: new AbortController().signal };

describe("the files of the editor", () => {
  test.each([
    ["traversal", "/../secret.txt"],
    ["traversal to the top", `${"/..".repeat(40)}/etc/hostname`],
    ["a folder whose name begins the same", "-2/secret.txt"],
    ["a link to a file", "/link.txt"],
    ["a link to a folder", "/up/secret.txt"],
    ["a link to nothing", "/dangling.txt"],
    ["a NUL", "/a\0/../../secret.txt"],
    ["a long path", `/${"a/".repeat(500_000)}`],
    ["a long name", `/${"a".repeat(1_000_000)}`],
    ["a denied file", "/.env"],
    ["a denied folder", "/.git/config"],
    ["a denied file in another case", "/.ENV"],
  ])("are not left by %s", async (_, suffix) => {
    await expectRefused(`${workspace}${suffix}`);
  });

  test.each(["/etc/hostname", "/proc/self/environ", "relative.txt", "", "file:///etc/hostname"])(
    "can't be left by the path %j",
    async (path) => expectRefused(path),
  );

  test("are read and written as the unsaved text, by any path to the file", async () => {
    const { readTextFile, writeTextFile } = editorFiles(workspace);
    const path = join(workspace, "a.txt");
    const file = { sessionId: "s1", path: join(workspace, "up", "workspace", "a.txt") };
    writeFileSync(path, "saved");
    buffers.set(path, "unsaved");
    expect(await readTextFile(file, context)).toEqual({ content: "unsaved" });
    await writeTextFile?.({ ...file, content: "written" }, context);
    expect([buffers.get(path), readFileSync(path, "utf8")]).toEqual(["written", "written"]);
  });

  /** Expects that both handlers refuse the path, even if a buffer with this path is open. */
  async function expectRefused(path: string): Promise<void> {
    const { readTextFile, writeTextFile } = editorFiles(workspace);
    buffers.set(path, "SECRET");
    await expect(readTextFile({ sessionId: "s1", path }, context)).rejects.toMatchObject({ code: -32602 });
    const write = async () => writeTextFile?.({ sessionId: "s1", path, content: "EVIL" }, context);
    await expect(write()).rejects.toMatchObject({ code: -32602 });
    expect(readFileSync(secret, "utf8")).toBe("SECRET");
    expect(() => readFileSync(join(root, "new.txt"))).toThrow("ENOENT");
  }
});
