import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { findBrowser } from "@acp-kit/configs/browser";
import { chromium } from "playwright-core";

/** A page that is wider than the screen, and its elements that are too wide. */
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

/**
 * Returns the sample pages that are wider than a small or a large screen; `undefined` if no browser is installed.
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
  // The pages are trusted, and a container offers no sandbox.
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

/**
 * Serves the files of a folder as a static host does: the path `a` is the file `a.html`, and `a/` is `a/index.html`.
 */
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
