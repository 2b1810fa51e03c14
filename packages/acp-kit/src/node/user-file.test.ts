import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readMcpFile } from "./run/mcp-file.js";
import { parseJson, readText } from "./user-file.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-user-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("a missing file and a folder are named once, with a reason in words", () => {
  const missing = join(folder, "none.json");
  expect(() => readText(missing, `--config ${missing}`)).toThrow(
    `Can't read --config ${missing}, because there is no such file.`,
  );
  mkdirSync(join(folder, "folder"));
  expect(() => readText(join(folder, "folder"), "folder")).toThrow("Can't read folder, because it is a folder.");
});

it("the message about invalid JSON has the place, and quotes nothing of the text, which may contain a secret", () => {
  const texts = [
    '{ "env": { "KEY": Zq7MARK9f3a8c } }',
    '{ "KEY": "Zq7MARK9f3a8c" "other" }',
    '["Zq7MARK9f3a8c\n"]',
    "",
  ];
  for (const text of texts) {
    const file = join(folder, "mcp.json");
    writeFileSync(file, text);
    const messages: string[] = [];
    for (const read of [() => readMcpFile(file), () => parseJson(text, "a.json")]) {
      try {
        read();
      } catch (error) {
        messages.push((error as Error).message);
      }
    }
    expect(messages).toEqual([
      expect.stringMatching(/mcp\.json: the file is not valid JSON/),
      expect.stringMatching(/^a\.json: the file is not valid JSON/),
    ]);
    expect(messages.join("")).not.toMatch(/MARK|Zq7|9f3a/);
  }
});

it("a byte order mark is ignored", () => {
  expect(parseJson('\ufeff{"a":1}', "a.json")).toEqual({ a: 1 });
});
