import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasBrowser, openBrowser } from "./open-browser.js";

describe("hasBrowser", () => {
  it.each([
    ["linux", { DISPLAY: ":0" }, true, true],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, true, true],
    ["linux", {}, true, false],
    ["darwin", {}, true, true],
    ["win32", { CI: "false" }, true, true],
    ["win32", { CI: "true" }, true, false],
    ["darwin", { SSH_CONNECTION: "10.0.0.2 1 10.0.0.1 22" }, true, false],
    ["linux", { DISPLAY: "localhost:10.0", SSH_TTY: "/dev/pts/1" }, true, false],
    ["darwin", {}, false, false],
  ] as const)("on %s with %j, at a terminal: %s", (platform, env, isTerminal, expected) => {
    expect(hasBrowser({ env, stdout: { isTerminal } as never }, platform)).toBe(expected);
  });
});

describe.skipIf(process.platform === "win32")("openBrowser", () => {
  const url = "http://127.0.0.1:1234/#the-secret";

  it("gives the browser a file that only the user can read, and not the secret; the file is removed at the end", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-browser-"));
    const seen = join(folder, "seen");
    for (const name of ["open", "xdg-open"])
      writeFileSync(join(folder, name), `#!/bin/sh\nprintf %s "$*" > ${seen}.new\nmv ${seen}.new ${seen}\n`, {
        mode: 0o755,
      });
    const failures: string[] = [];
    const env = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter) };
    const opened = openBrowser(url, env, (reason) => failures.push(reason));
    await expect.poll(() => existsSync(seen), { timeout: 30_000 }).toBe(true);
    const file = readFileSync(seen, "utf8");
    expect(file).toMatch(/inspector\.html$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(`content="0; url=${url}"`);
    opened[Symbol.dispose]();
    expect(existsSync(file)).toBe(false);
    expect(failures).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it("reports that no browser can be opened", async () => {
    const reason = await new Promise<string>((resolve) =>
      openBrowser(url, { PATH: "/none" }, resolve)[Symbol.dispose](),
    );
    expect(reason).toContain("ENOENT");
  });
});
