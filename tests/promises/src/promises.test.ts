import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, it } from "vitest";
import { faultTests } from "./harness/fault-tests.js";
import { testTitles } from "./harness/test-titles.js";

const page = join(root, "docs", "promises.md");
const idOf = (title: string): string | undefined => /^([a-z-]+\.[a-z-]+): /.exec(title)?.[1];

/** Returns the rows of every table with this first column, as cells. */
function rows(firstColumn: string): string[][] {
  let within = false;
  return readFileSync(page, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (!line.startsWith("|")) within = false;
      else if (line.startsWith(`| ${firstColumn} |`)) within = true;
      else if (within && !line.startsWith("| ---"))
        return [
          line
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ];
      return [];
    });
}

const promises = rows("id").map(([id = "", , links = ""]) => ({
  id: id.replaceAll("`", ""),
  files: [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => resolve(page, "..", path)),
}));
const titles = new Map(
  filesBelow(root)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => [join(root, path), testTitles(join(root, path))]),
);

describe("docs/promises.md", () => {
  it("has each promise once", () => {
    const ids = promises.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(promises)("$id has a test with its id in every file that the row links", ({ id, files }) => {
    expect(files).not.toEqual([]);
    for (const file of files) expect(titles.get(file)?.map(idOf)).toContain(id);
  });

  it("lists every test whose title starts with the id of a promise", () => {
    const areas = new Set(promises.map(({ id }) => id.split(".")[0]));
    const held = [...titles].flatMap(([file, titles]) =>
      titles.flatMap((title) => {
        const id = idOf(title);
        return id !== undefined && areas.has(id.split(".")[0]) ? [{ id, file }] : [];
      }),
    );
    const missing = held.filter(({ id, file }) => !promises.some((row) => row.id === id && row.files.includes(file)));
    expect(missing).toEqual([]);
  });

  it("has a promise for every test of this project", () => {
    const ours = [...titles].filter(
      ([file]) => file.startsWith(join(root, "tests", "promises")) && file !== import.meta.filename,
    );
    expect(ours.flatMap(([, titles]) => titles.filter((title) => idOf(title) === undefined))).toEqual([]);
  });

  it.each(rows("fault"))("has a test for the fault: %s", (fault = "", _seen, tests = "") => {
    const ids = [...tests.matchAll(/`([^`]+)`/g)].map(([, id]) => id);
    const files = [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => resolve(page, "..", path));
    expect(ids.length + files.length).toBeGreaterThan(0);
    for (const id of ids) expect(promises.map((promise) => promise.id)).toContain(id);
    for (const file of files) expect(titles.get(file)).toContain(faultTests[fault]);
  });
});
