import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileUri, nameOf } from "./file-uri.js";

describe("the URI of a path", () => {
  test.each([
    ["/work/a.ts", "file:///work/a.ts"],
    ["/", "file:///"],
    ["//work//a.ts", "file:///work//a.ts"],
    ["/a b/50%/c#d?e.ts", "file:///a%20b/50%25/c%23d%3Fe.ts"],
    ["/ü/日本/😀", "file:///%C3%BC/%E6%97%A5%E6%9C%AC/%F0%9F%98%80"],
    ["/a\\b", "file:///a%5Cb"],
    ["C:\\work\\a b.ts", "file:///C:/work/a%20b.ts"],
    ["c:/work/a.ts", "file:///c:/work/a.ts"],
    ["\\\\server\\share\\a#b.ts", "file://server/share/a%23b.ts"],
    ["\\\\wsl$\\Ubuntu\\home", "file://wsl$/Ubuntu/home"],
    ["\\\\?\\C:\\very\\long", "file:///C:/very/long"],
    ["\\\\?\\UNC\\server\\share\\a", "file://server/share/a"],
  ])("%s is %s", (path, uri) => {
    expect(fileUri(path)).toBe(uri);
  });

  test.each([["a.ts"], ["./a.ts"], [""], ["C:a.ts"], ["file:///a"], ["\\\\.\\COM1"], ["\\\\"], ["/a\0b"], ["/\ud800"]])(
    "%j has none",
    (path) => {
      expect(() => fileUri(path)).toThrow(TypeError);
    },
  );

  test("the platform finds every POSIX path again", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !/[/\0]/.test(text) && !/^\.\.?$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join("/")}`;
        expect(fileURLToPath(fileUri(path), { windows: false })).toBe(path);
        expect(new URL(fileUri(path)).href).toBe(fileUri(path));
      }),
    );
  });

  test("and every Windows path", () => {
    const name = fc.stringMatching(/^[\w #%&ü日@+,;=!~^'()-]+$/).filter((text) => text.trim() === text);
    const start = fc.constantFrom("C:", "z:", "\\\\server\\share");
    fc.assert(
      fc.property(start, fc.array(name, { minLength: 1 }), (root, names) => {
        const path = [root, ...names].join("\\");
        expect(fileURLToPath(fileUri(path), { windows: true })).toBe(path);
      }),
    );
  });

  test("what Node writes for ordinary paths", () => {
    for (const path of ["/work/a.ts", "/a b/ü.md", "/x/%41#?"]) {
      expect(fileUri(path)).toBe(pathToFileURL(path, { windows: false } as object).href);
    }
  });
});

test.each([
  ["/work/a b.ts", "a b.ts"],
  ["/work/", "work"],
  ["/a\\b", "a\\b"],
  ["C:\\work\\a.ts", "a.ts"],
  ["file:///work/a%20b.ts", "a b.ts"],
  ["https://example.com/docs/page?x=1#y", "page"],
  ["https://example.com/%zz", "%zz"],
  ["urn:isbn:1", "urn:isbn:1"],
  ["/", "/"],
])("%s is called %s", (path, name) => {
  expect(nameOf(path)).toBe(name);
});
