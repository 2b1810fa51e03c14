import { expect, test } from "vitest";
import { isAbsolutePath } from "./absolute-path.js";

test.each(["/", "/work", "C:\\work", "c:/work", "\\\\server\\share"])("%s is absolute", (path) => {
  expect(isAbsolutePath(path)).toBe(true);
});

test.each(["", "work", "./work", "../work", "C:work", "~/work", "file:///work"])("%j is not", (path) => {
  expect(isAbsolutePath(path)).toBe(false);
});
