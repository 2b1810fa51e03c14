import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInside, MAX_PATH_LENGTH, mayBeInside, placeOf } from "./path-place.js";

function inside(path: string, folder: string, cwd?: string): boolean | undefined {
  const place = placeOf(path, cwd);
  const root = placeOf(folder, cwd);
  return place && root && isInside(place, root);
}

describe("a path is inside a folder", () => {
  test.each([
    ["/work/a.ts", "/work"],
    ["/work", "/work/"],
    ["/work/x/../a.ts", "/work"],
    ["/work//a.ts", "/work"],
    ["C:\\Work\\a.ts", "c:/work"],
    ["\\\\Server\\Share\\a", "\\\\server\\share"],
    ["\\\\?\\C:\\work\\a", "C:\\work"],
    ["/anything", "/"],
  ])("%s is in %s", (path, folder) => {
    expect(inside(path, folder)).toBe(true);
  });

  test.each([
    ["/work-2/a.ts", "/work"],
    ["/work", "/work/a"],
    ["/work/../etc/passwd", "/work"],
    ["/work/x/../../../work-2", "/work"],
    ["/WORK/a.ts", "/work"],
    ["D:\\work\\a", "C:\\work"],
    ["C:\\work-2\\a", "C:\\work"],
    ["\\\\server\\other\\a", "\\\\server\\share"],
    ["/work/a", "C:\\work"],
    ["/work\\..\\a", "/work/b"],
  ])("%s is not in %s", (path, folder) => {
    expect(inside(path, folder)).toBe(false);
  });

  test.each([["a.ts"], ["./x/../a.ts"], ["sub/a.ts"]])("%s is read against the working directory", (path) => {
    expect(inside(path, "/work", "/work")).toBe(true);
    expect(inside(path, "C:\\work", "C:\\work")).toBe(true);
  });

  test.each([["../work-2/a.ts"], ["x/../../etc/passwd"]])("%s leaves it", (path) => {
    expect(inside(path, "/work", "/work")).toBe(false);
  });

  test("a path without a drive is on the drive of the working directory", () => {
    expect(inside("/work/a", "C:\\work", "C:\\work")).toBe(true);
    expect(inside("\\etc", "C:\\work", "C:\\work")).toBe(false);
    expect(inside("//server/share/a", "\\\\server\\share", "C:\\work")).toBe(true);
  });

  test.each([
    ["file:///etc/passwd"],
    ["~/secrets"],
    [""],
    ["a\0b"],
    ["\\\\.\\PhysicalDrive0"],
    ["C:a"],
    ["https://x/y"],
  ])("%j has no place", (path) => {
    expect(placeOf(path, "/work")).toBeUndefined();
  });

  test("spellings of the same Windows file are the same", () => {
    const secret = placeOf("C:\\work\\.env");
    for (const path of [
      "c:\\WORK\\.ENV",
      "C:\\work\\.env.",
      "C:\\work\\.env ",
      "C:\\work\\.env::$DATA",
      "C:/work/.env",
    ]) {
      expect(placeOf(path), path).toMatchObject({ root: "c:" });
      expect(mayBeInside(placeOf(path) as never, secret as never), path).toBe(true);
    }
  });

  test("for rejecting, the case of letters and the form of accents don't matter", () => {
    const folder = placeOf("/work/Gehe\u0301im") as never;
    expect(mayBeInside(placeOf("/WORK/gehéim/a") as never, folder)).toBe(true);
    expect(isInside(placeOf("/WORK/gehéim/a") as never, folder)).toBe(false);
  });

  test("names below a folder are inside, whatever they are; a changed first name is not", () => {
    const name = fc.stringMatching(/^[\w .-]+$/).filter((text) => !/^\.+$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.array(name), (folder, rest) => {
        const path = `/${folder.join("/")}`;
        expect(inside([path, ...rest].join("/"), path)).toBe(true);
        expect(inside([`${path}x`, ...rest].join("/"), path)).toBe(false);
      }),
    );
  });

  test("a path over the limit has no place", () => {
    expect(placeOf(`/${"a".repeat(MAX_PATH_LENGTH - 1)}`)).toBeDefined();
    expect(placeOf(`/${"a".repeat(MAX_PATH_LENGTH)}`)).toBeUndefined();
    expect(placeOf(`./${"a/".repeat(MAX_PATH_LENGTH)}`, "/work")).toBeUndefined();
  });

  test("every character is the same in its decomposed form: the comparison's bound on lengths leaves that alone", () => {
    for (let code = 1; code <= 0x10ffff; code += 1) {
      if (code === 0x2f || code === 0x2e || (code >= 0xd800 && code <= 0xdfff)) continue;
      const char = String.fromCodePoint(code);
      const decomposed = char.normalize("NFD");
      if (decomposed === char) continue;
      const path = { root: "/", names: [decomposed], windows: false };
      if (!mayBeInside(path, { ...path, names: [char] })) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test("a Windows name ends before its stream, and before dots and spaces, whatever else is in it", () => {
    const name = fc.stringMatching(/^[ab.: \n]{0,8}$/);
    fc.assert(
      fc.property(name, (name) => {
        const expected = name === "." || name === ".." ? [] : [name.replace(/:.*$/s, "").replace(/[. ]+$/, "")];
        expect(placeOf(`C:\\${name}`)?.names).toEqual(expected.filter((name) => name !== ""));
      }),
    );
  });
});
