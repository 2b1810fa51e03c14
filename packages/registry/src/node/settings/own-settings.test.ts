import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
