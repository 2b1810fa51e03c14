import { existsSync } from "node:fs";
import { findBrowser } from "@acp-kit/configs/browser";
import { type Browser, chromium, type Page } from "playwright-core";

/** Whether the page is built. The tests of the page need it. */
export const isBuilt: boolean = existsSync(new URL("../dist/page/page.js", import.meta.url));

/** The program of the browser, if one is installed. */
export const browserPath: string | undefined = findBrowser();

/** Why the tests in a browser can't run; `undefined` if they can. */
export const noBrowserReason: string | undefined =
  browserPath === undefined ? "no Chromium was found (ACP_KIT_BROWSER)" : isBuilt ? undefined : "the page is not built";

/**
 * Starts the browser without its sandbox, because a container offers none. The browser shows only pages of this
 * repository.
 */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * A page, and the list of events in it that must not happen: errors, warnings, dialogs, and requests to other hosts.
 */
export interface Watched {
  readonly page: Page;
  readonly wrong: string[];
}

/** Opens a page of the browser. */
export async function openPage(
  browser: Browser,
  url: string,
  options: { width?: number; colorScheme?: "light" | "dark" } = {},
): Promise<Watched> {
  const { width = 1400, colorScheme = "light" } = options;
  const page = await browser.newPage({ viewport: { width, height: width < 600 ? 800 : 900 }, colorScheme });
  const wrong: string[] = [];
  const { host, protocol } = new URL(url);
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") wrong.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const target = new URL(request.url());
    const isOwn = target.protocol === protocol && target.host === host;
    if (!isOwn && target.protocol !== "data:" && target.protocol !== "blob:") wrong.push(`request: ${request.url()}`);
  });
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  return { page, wrong };
}
