import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileHandlers, isRpcError } from "@acp-kit/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { filesIn } from "./files.js";

let outside = "";
let root = "";
let files: Required<FileHandlers>;
const context = { session: undefined, signal: new AbortController().signal };
const codeOf = (error: unknown): unknown => (isRpcError(error) ? error.code : error);

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "showcase-files-"));
  root = join(outside, "root");
  await mkdir(root);
  await writeFile(join(root, "a.txt"), "one\ntwo\nthree\n");
  await writeFile(join(outside, "secret.txt"), "secret");
  files = filesIn(root, () => {}) as Required<FileHandlers>;
});
afterEach(() => rm(outside, { recursive: true, force: true }));

const read = async (path: string, part: { line?: number; limit?: number } = {}): Promise<unknown> => {
  try {
    return (await files.readTextFile({ sessionId: "s", path, ...part }, context)).content;
  } catch (error) {
    return codeOf(error);
  }
};

it("reads all of a file, or some of its lines", async () => {
  expect(await read(join(root, "a.txt"))).toBe("one\ntwo\nthree\n");
  expect(await read(join(root, "a.txt"), { line: 2, limit: 1 })).toBe("two\n");
  expect(await read(join(root, "a.txt"), { line: 9 })).toBe("");
});

it("says that a file is not there", async () => {
  expect(await read(join(root, "none.txt"))).toBe(-32002);
});

it("writes files, and the folders they need", async () => {
  await files.writeTextFile({ sessionId: "s", path: join(root, "x", "y.txt"), content: "new" }, context);
  expect(await readFile(join(root, "x", "y.txt"), "utf8")).toBe("new");
});

it("reaches nothing outside its folder, by no path and by no link", async ({ skip }) => {
  expect(await read(join(root, "..", "secret.txt"))).toBe(-32602);
  expect(await read("a.txt")).toBe(-32602);
  skip(process.platform === "win32", "Windows lets only administrators make links");
  await symlink(outside, join(root, "link"));
  await symlink(join(outside, "secret.txt"), join(root, "innocent.txt"));
  expect(await read(join(root, "link", "secret.txt"))).toBe(-32602);
  expect(await read(join(root, "innocent.txt"))).toBe(-32602);
  const write = files.writeTextFile({ sessionId: "s", path: join(root, "link", "new.txt"), content: "" }, context);
  expect(await Promise.resolve(write).catch(codeOf)).toBe(-32602);
});
