import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

/** A page that scrolls sideways, and the elements that are too wide. */
export interface WidePage {
  readonly page: string;
  /** The width of the screen, in pixels. */
  readonly screen: number;
  /** The width of the page, in pixels. */
  readonly width: number;
  readonly elements: readonly string[];
}

/** Pages of each kind: the first page, guides, wide tables, package READMEs and the reference. */
const samples = [
  "",
  "guides/getting-started",
  "guides/your-agent-on-the-web",
  "guides/coming-from-the-official-sdk",
  "guides/troubleshooting",
  "glossary",
  "promises",
  "performance",
  "architecture",
  "packages/acp-kit",
  "packages/http",
  "reference/index.html",
];

/** The widths of the screens, in pixels. */
const screens = [400, 1400];

/** The browser: the one that ACP_KIT_BROWSER names, or an installed Chromium. None is downloaded. */
function findBrowser(): string | undefined {
  if (process.env.ACP_KIT_BROWSER) return process.env.ACP_KIT_BROWSER;
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // the next one
    }
  }
  return undefined;
}

/**
 * Returns the sample pages that are wider than their screen, a small one and a large one; `undefined` if there is no browser to measure with.
 *
 * @param folder - the built site
 * @param base - the path below which the site is published, with slashes at both ends
 */
export async function widePages(folder: string, base: string): Promise<WidePage[] | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return undefined;
  const server = serveFolder(folder, base);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // The pages are our own; a container offers no sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const tab = await browser.newPage();
    const wide: WidePage[] = [];
    for (const [screen, page] of screens.flatMap((width) => samples.map((sample) => [width, sample] as const))) {
      await tab.setViewportSize({ width: screen, height: 800 });
      await tab.goto(`http://127.0.0.1:${port}${base}${page}`, { waitUntil: "load" });
      const found = await tab.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const elements = [...document.querySelectorAll("body *")].filter((element) => {
          const { right, width } = element.getBoundingClientRect();
          return width > 0 && right > clientWidth + 1;
        });
        const names = elements.slice(0, 3).map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`);
        return { width: scrollWidth, isWide: scrollWidth > clientWidth, names };
      });
      if (found.isWide)
        wide.push({ page: page || "the first page", screen, width: found.width, elements: found.names });
    }
    return wide;
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves the files of a folder as a static host does: `a` is `a.html`, and `a/` is `a/index.html`. */
export function serveFolder(folder: string, base: string): ReturnType<typeof createServer> {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = normalize(join(folder, decodeURIComponent(pathname.slice(base.length - 1))));
    const file = [path, `${path}.html`, join(path, "index.html")].find(
      (candidate) => candidate.startsWith(folder) && existsSync(candidate) && statSync(candidate).isFile(),
    );
    if (!pathname.startsWith(base) || file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
}
