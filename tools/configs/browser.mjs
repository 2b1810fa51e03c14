// The browser in which tests, the site and the bench open pages.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Returns the program that `ACP_KIT_BROWSER` names, or an installed Chromium, or `undefined`. Nothing is downloaded.
 */
export function findBrowser(env = process.env) {
  if (env.ACP_KIT_BROWSER) return env.ACP_KIT_BROWSER;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((program) => existsSync(program));
}
