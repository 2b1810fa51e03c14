import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workspaceFilesDefaults } from "./files/files-options.js";
import { workspaceTerminalsDefaults } from "./terminals/terminals-options.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");

describe("the README", () => {
  it("documents every limit, with its default", () => {
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| +([\d,]+)( MiB)? +\|/gm)].map(
      ([, name = "", number = "", unit]) => [
        name,
        Number(number.replaceAll(",", "")) * (unit === undefined ? 1 : 1_048_576),
      ],
    );
    expect(Object.fromEntries(rows)).toEqual({ ...workspaceFilesDefaults, ...workspaceTerminalsDefaults });
  });

  it("documents every export", () => {
    const names = [...read("./index.ts").matchAll(/(?:type )?(\w+)(?=,| }| from|\n})/g)].map(([, name = ""]) => name);
    expect(names).toContain("workspaceFiles");
    for (const name of names) expect(readme).toContain(name);
  });

  it("documents every reason for a refusal", () => {
    const reasons = [...read("./files/refusal.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, reason = ""]) => reason);
    expect(reasons).toHaveLength(11);
    for (const reason of reasons) expect(readme).toContain(`\`${reason}\``);
  });
});
