import { describe, expect, test } from "vitest";
import { nameProblem } from "./name-problem.js";

describe("a path, before any file access", () => {
  test.each([
    "C:\\a\\b.txt",
    "c:/a/b",
    "\\\\server\\share\\a",
    "C:\\a..b\\...c",
    "C:\\console.txt",
    "C:\\com\\lpt",
    "C:\\",
  ])("%s is fine on Windows", (path) => expect(nameProblem(path, "win32")).toBe(undefined));

  test.each([
    ...["C:\\NUL", "C:\\a\\con.txt", "C:\\COM1", "C:\\lpt9.tar.gz", "C:\\aux .txt", "C:\\CONIN$"],
    ...["C:\\a.txt:stream", "C:\\a.txt::$DATA", "C:\\a.txt.", "C:\\a.txt ", "C:\\a. \\b", "C:\\a*", "C:\\a?"],
    ...["\\\\?\\C:\\a", "\\\\.\\PhysicalDrive0", "//?/C:/a", "C:\\a\0b"],
  ])("%j is a different file than it seems on Windows", (path) => {
    expect(nameProblem(path, "win32")).toBe("bad_name");
  });

  test.each(["a", "\\a", "/a", "C:a", ""])("%j depends on the working directory on Windows", (path) => {
    expect(nameProblem(path, "win32")).toBe("not_absolute");
  });

  test.each([
    ["/a/NUL:x. ", undefined],
    ["/a\0b", "bad_name"],
    ["/a/\ud800.txt", "bad_name"],
    ["/a/\ud83d\ude00.txt", undefined],
    ["C:\\a", "not_absolute"],
    ["a/b", "not_absolute"],
  ])("%j elsewhere: %s", (path, expected) => {
    expect(nameProblem(path, "linux")).toBe(expected);
    expect(nameProblem(path, "darwin")).toBe(expected);
  });
});
