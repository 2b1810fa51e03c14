import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { stateDirectory } from "./state-directory.js";

it.each(["XDG_STATE_HOME", "HOME"])("creates nothing in the working directory when %s is a relative path", (name) => {
  const place = mkdtempSync(join(tmpdir(), "acp-kit-state-"));
  try {
    const path = relative(process.cwd(), join(place, "state"));
    expect(stateDirectory("chat", { HOME: "", [name]: path })).toBeUndefined();
    expect(existsSync(join(place, "state"))).toBe(false);
  } finally {
    rmSync(place, { recursive: true });
  }
});
