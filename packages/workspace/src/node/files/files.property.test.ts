import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join, sep } from "node:path";
import { isRpcError } from "@acp-kit/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf, playground } from "../../../test/playground.js";
import { denyList } from "./deny-list.js";
import { readLines } from "./read-lines.js";
import { namesBelow } from "./real-root.js";
import { workspaceFiles } from "./workspace-files.js";

describe("any path", () => {
  it("workspace.never-outside: is read and written only if its real path is in the root", async () => {
    const place = playground();
    place.file("work/a/file", "INSIDE");
    mkdirSync(join(place.work, "a", "b"));
    const links: [string, string][] = [
      ["work/out", place.outside],
      ["work/up", ".."],
      ["work/a/self", "."],
      ["work/a/b/far", "../../../outside"],
      ["work/a/b/near", "../../a"],
      ["work/secret", join(place.outside, "secret.txt")],
      ["outside/back", place.work],
    ];
    for (const [name, target] of links) symlinkSync(target, join(place.path, name));
    const files = workspaceFiles();
    const closed = workspaceFiles({ deny: ["**/*", "*a*a*a*b"] });
    const context = contextOf(place.work);
    const before = place.untouched();
    const names = ["a", "b", "file", "out", "up", "self", "far", "near", "secret", "back", "work", "outside"];
    const short = fc.constantFrom(...names, "..", ".", "", "new", "secret.txt");
    // The paths vary in length and depth, too: from one name to a path that is too long for any system.
    const part = fc.oneof(
      { weight: 12, arbitrary: short },
      { weight: 1, arbitrary: fc.tuple(short, fc.integer({ min: 2, max: 5_000 })).map(([name, n]) => name.repeat(n)) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom("self/", "a/", "../", "./", "far/", "new/"), fc.integer({ min: 2, max: 20_000 }))
          .map(([name, n]) => name.repeat(n)),
      },
    );
    const start = fc.constantFrom(place.work, place.path, place.outside, "");
    await fc.assert(
      fc.asyncProperty(start, fc.array(part, { maxLength: 9 }), async (from, parts) => {
        const path = [from, ...parts].join("/");
        expect(await closed.readTextFile({ sessionId: "s1", path }, context).catch(codeOf)).toEqual(expect.any(Number));
        const read = await files.readTextFile({ sessionId: "s1", path }, context).catch(codeOf);
        if (typeof read !== "number") expect(read.content).not.toBe("SECRET");
        const written = await files
          .writeTextFile?.({ sessionId: "s1", path, content: "INSIDE" }, context)
          .catch(codeOf);
        if (typeof written === "object") {
          const real = realpathSync(normal(path));
          expect(real.startsWith(place.work + sep)).toBe(true);
        }
        expect(place.untouched()).toEqual(before);
      }),
      { numRuns: 400 },
    );
  });

  /** `..` is removed textually, as the workspace does. */
  const normal = (path: string): string => join(path);

  function codeOf(error: unknown): number {
    if (isRpcError(error)) return error.code;
    throw error;
  }
});

describe("names below a root", () => {
  const name = fc.constantFrom("a", "A", "ab", "ä", "a\u0308", ".", "..a");
  it("exist only for paths below the root whose letters match exactly", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1 }), fc.array(name), async (root, path) => {
        // None of these paths exists, so no other spelling can be the same directory.
        const top = `/none/${root.join("/")}`;
        const below = await namesBelow(top, `/none/${path.join("/")}`);
        const expected = root.every((each, index) => each === path[index]);
        expect(below !== undefined).toBe(expected);
        if (below !== undefined) expect(below).toEqual(path.slice(root.length));
      }),
    );
  });

  it("are found in another spelling if the file system reports the same directory for both", async () => {
    const { work, file, path } = playground();
    file("work/a.txt");
    // A link simulates a file system that ignores case: two spellings, one directory.
    symlinkSync(work, join(path, "WORK"));
    expect(await namesBelow(work, join(path, "WORK", "a.txt"))).toEqual(["a.txt"]);
    mkdirSync(join(path, "wOrk"));
    expect(await namesBelow(work, join(path, "wOrk", "a.txt"))).toBe(undefined);
  });
});

describe("any pattern of denied files", () => {
  const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((each) => each !== "." && each !== "..");
  it("denies the files that it names and everything below them, whatever the case of the letters", () => {
    fc.assert(
      fc.property(fc.array(name), name, fc.array(name), (above, target, below) => {
        const path = [...above, target, ...below];
        for (const pattern of [target, `**/${target}`, `/${[...above, target].join("/")}`, `${target}/`]) {
          expect(denyList([pattern]).matches(path)).toBe(true);
          expect(denyList([pattern.toUpperCase()]).matches(path)).toBe(true);
        }
        expect(denyList([`${target[0]}*`]).matches(path)).toBe(true);
        expect(denyList([target.replace(/./g, "?")]).matches(path)).toBe(true);
        expect(denyList([`${target}c`]).matches(path)).toBe(false);
      }),
    );
  });

  it("matches like an exhaustive search, for paths of any depth", () => {
    const element = fc.constantFrom("**", "a", "b", "*", "?", "a*", "*b");
    const elements = fc.array(element, { minLength: 1, maxLength: 6 });
    const path = fc.array(fc.constantFrom("a", "b", "ab", "ba"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(elements, path, fc.nat({ max: 3_000 }), (pattern, names, depth) => {
        const list = denyList([`/${pattern.join("/")}`]);
        expect(list.matches(names)).toBe(names.some((_, index) => search(pattern, names.slice(0, index + 1))));
        const below = Array.from({ length: depth }, (_, index) => (index % 2 === 0 ? "a" : "b"));
        if (list.matches(names)) expect(list.matches([...names, ...below])).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  /** Returns whether the pattern matches all names, by an exhaustive search. */
  function search([element, ...rest]: readonly string[], names: readonly string[]): boolean {
    if (element === undefined) return names.length === 0;
    if (element === "**") return names.some((_, index) => search(rest, names.slice(index))) || search(rest, []);
    const [name, ...below] = names;
    const regexp = new RegExp(`^${element.replaceAll("*", ".*").replaceAll("?", ".")}$`);
    return name !== undefined && regexp.test(name) && search(rest, below);
  }

  it("agrees with the same pattern as a regular expression", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*?]{1,8}$/), fc.stringMatching(/^[ab]{1,60}$/), (pattern, each) => {
        const all = pattern === "**" ? ".*" : pattern.replaceAll("*", ".*").replaceAll("?", ".");
        expect(denyList([`/${pattern}`]).matches([each])).toBe(new RegExp(`^${all}$`).test(each));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("any range of lines", () => {
  const piece = fc.constantFrom("a", "ä", "\n", "\r\n", "\r", "line\n", "😀");
  const long = fc.tuple(piece, fc.integer({ min: 2, max: 3_000 })).map(([each, n]) => each.repeat(n));
  const text = fc
    .array(fc.oneof({ weight: 20, arbitrary: piece }, { weight: 1, arbitrary: long }))
    .map((parts) => parts.join(""));
  const limits = { path: "/a", maxReadBytes: 1e6, maxScanBytes: 1e6 };

  it("does not depend on the chunks of the file, and consecutive ranges contain all of the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (whole, few, cut) => {
          const size = few + Math.floor(whole.length / 20); // about twenty ranges, whatever the length of the text
          const bytes = Buffer.from(whole);
          const chunks = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, index) =>
            bytes.subarray(index * cut, (index + 1) * cut),
          );
          const lines = whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
          let all = "";
          for (let line = 1; line <= lines.length + size; line += size) {
            const part = await readLines(chunks, { ...limits, line, limit: size });
            expect(part).toBe(lines.slice(line - 1, line - 1 + size).join(""));
            all += part;
          }
          expect(all).toBe(whole);
        },
      ),
      { numRuns: 300 },
    );
  });
});
