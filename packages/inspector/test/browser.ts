import { execFileSync } from "node:child_process";
import { type Browser, chromium, type Page } from "playwright-core";

/** A real browser: the one that ACP_KIT_BROWSER names, or an installed Chromium. None is downloaded. */
export const browserPath: string | undefined =
  process.env.ACP_KIT_BROWSER ??
  ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(whichOf).find(Boolean);

function whichOf(name: string): string | undefined {
  try {
    return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/** Starts the browser; a container offers no sandbox, and it shows our own pages alone. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page, and everything that must not happen in it: errors, dialogs, and requests to other hosts. */
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
