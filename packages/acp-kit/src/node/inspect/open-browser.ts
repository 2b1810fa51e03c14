import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../host.js";

/** Returns whether the user probably sees a browser that opens: on a desktop, at a terminal of this machine. */
export function hasBrowser(
  { env, stdout }: Pick<Host, "env" | "stdout">,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const isSet = (name: string): boolean => !["", "0", "false", undefined].includes(env[name]);
  if (!stdout.isTerminal || isSet("CI") || isSet("SSH_CONNECTION") || isSet("SSH_TTY")) return false;
  return platform === "darwin" || platform === "win32" || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

/**
 * Opens a page in the user's browser. The address contains a secret, and every user of the machine can read command
 * lines. So the browser opens a file that only this user can read, and that leads to the page. A browser in a sandbox
 * may not find the file; therefore callers also print the address.
 *
 * @param onFailure called with the reason if the browser can't be opened.
 * @returns an object whose disposal removes the file.
 */
export function openBrowser(url: string, env: Host["env"], onFailure: (reason: string) => void): Disposable {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-inspect-")); // only this user can open it
  const file = join(folder, "inspector.html");
  const address = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"><title>acp-kit inspect</title>`;
  writeFileSync(file, html, { mode: 0o600 });
  const [program, ...args] = opener();
  const child = spawn(program, [...args, file], { env, stdio: "ignore", detached: true });
  child.once("error", ({ message }) => onFailure(message));
  child.once("exit", (code) => {
    if (code !== null && code !== 0) onFailure(`${program} ended with the exit code ${code}`);
  });
  child.unref();
  return { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the command that opens a file with the program that the user chose for its kind. */
function opener(): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
