import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { explainSpawnFailure } from "./spawn-failure.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-kit-cwd-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const failed = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code });
const explain = (cwd: string) => explainSpawnFailure(failed("EACCES"), { command: process.execPath, cwd, env: {} });

describe.skipIf(process.platform === "win32")("a command that can't start in its working directory", () => {
  it("has bad_cwd as its error if the system does not show the directory", () => {
    const cwd = join(folder, "loop");
    symlinkSync("loop", cwd);
    const message = `Can't start "${process.execPath}": the working directory ${cwd} can't be entered (ELOOP).`;
    expect(explain(cwd)).toMatchObject({ code: "bad_cwd", message });
  });

  it("has bad_cwd as its error if the user has no permission to enter the directory", () => {
    const cwd = join(folder, "private");
    mkdirSync(cwd, { mode: 0o600 });
    const fs = process.getBuiltinModule("fs"); // root may enter every directory
    vi.spyOn(fs, "accessSync").mockImplementation((path) => {
      if (path === cwd) throw failed("EACCES");
    });
    expect(explain(cwd)).toMatchObject({
      code: "bad_cwd",
      message: expect.stringContaining("can't be entered (EACCES)"),
    });
  });
});
