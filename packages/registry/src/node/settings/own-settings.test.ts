import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readOwnSettings } from "./own-settings.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['{ "agents": { "a": { "env": { "KEY": Zq7MARK9f3a8c } } } }', '{ "env": "Zq7MARK9f3a8c" "other" }'])(
  "the message about a file that is not JSON quotes nothing of it, because its variables may be secrets: %s",
  async (text) => {
    const file = join(folder, "agents.json");
    writeFileSync(file, text);
    const error = await readOwnSettings({}, file).catch((cause: unknown) => cause as Error);
    expect(error).toMatchObject({ code: "invalid_settings", message: expect.stringContaining("the file is not JSON") });
    expect((error as Error).message).not.toMatch(/MARK|Zq7|9f3a/);
  },
);

it("ignores a byte order mark", async () => {
  const file = join(folder, "mark.json");
  writeFileSync(file, '\uFEFF{ "agents": { "mine": { "command": "my-agent" } } }');
  expect((await readOwnSettings({}, file)).agents).toEqual({ mine: { command: "my-agent" } });
});

it.each([
  ['{ "agnets": {} }', "agnets: unknown member; expected one of $schema, agents, registries."],
  ['{ "registries": [{ "url": "https://a.example", "publickey": "k" }] }', "registries[0].publickey: unknown member"],
  ['{ "registries": [{ "file": "/a.json", "publicKey": "k" }] }', "registries[0].publicKey: unknown member"],
])("refuses unknown members, such as a misspelt public key, which would not be checked: %s", async (text, message) => {
  const file = join(folder, "unknown.json");
  writeFileSync(file, text);
  await expect(readOwnSettings({}, file)).rejects.toMatchObject({
    code: "invalid_settings",
    message: expect.stringContaining(`${file}, ${message}`),
  });
});

it("resolves the path of a registry relative to the folder of the settings file", async () => {
  const file = join(folder, "paths.json");
  writeFileSync(file, '{ "registries": [{ "file": "team.json" }, { "url": "https://a.example", "required": true }] }');
  expect((await readOwnSettings({}, file)).registries).toEqual([
    { file: join(folder, "team.json") },
    { url: "https://a.example", required: true },
  ]);
});

it("names the file if it can't be read", async () => {
  const file = join(folder, "folder.json");
  mkdirSync(file);
  await expect(readOwnSettings({}, file)).rejects.toMatchObject({
    code: "invalid_settings",
    message: `${file} can't be read: it is a folder.`,
  });
});
