// Builds the page with Vite, serves it beside the everything agent, and chats with it in Chromium.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "@acp-kit/configs/browser";
import { everythingAgent } from "@acp-kit/everything-agent";
import { fetchListener, serveHttp } from "@acp-kit/http/node";
import { chromium, type Page } from "playwright-core";
import { build } from "vite";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const outDir = mkdtempSync(join(tmpdir(), "acp-kit-react-chat-"));
try {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({ root, logLevel: "error", build: { outDir, emptyOutDir: true } });
  const browserPath = findBrowser();
  if (browserPath === undefined) {
    console.log("Not run: the chat in a browser, because no Chromium was found (ACP_KIT_BROWSER). The page was built.");
  } else await chat(browserPath);
} finally {
  rmSync(outDir, { recursive: true });
}

async function chat(executablePath: string): Promise<void> {
  const page = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const file = pathname === "/" ? "/index.html" : pathname;
    if (!/^\/(?:index\.html|assets\/[\w.-]+)$/.test(file)) return new Response(null, { status: 404 });
    return new Response(readFileSync(join(outDir, file)), {
      headers: { "content-type": types[extname(file)] ?? "text/plain" },
    });
  };
  await using server = await serveHttp(everythingAgent({ paceMs: 0 }), { fallback: fetchListener(page) });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on("pageerror", (error) => errors.push(error.message));
    await tab.goto(`http://127.0.0.1:${server.port}/`);
    await tab.fill("textarea:enabled", "/permission");
    await tab.keyboard.press("Enter"); // chooses the command
    await tab.keyboard.press("Enter"); // sends it
    await tab.locator(".acp-permission").waitFor();
    await tab.keyboard.press("1");
    await tab.locator(".acp-permission").waitFor({ state: "detached" });
    await tab.locator(".acp-agent-message").waitFor();
    const answer = await tab.locator(".acp-agent-message").last().textContent();
    assert.match(answer ?? "", /allow/i);
    await picture(tab);
    assert.deepEqual(errors, []);
    console.log(`the agent said: ${answer?.trim().slice(0, 100)}`);
  } finally {
    await browser.close();
  }
}

/** Writes a screenshot of the page to the file that ACP_KIT_PICTURE names. The page then shows a permission request. */
async function picture(tab: Page): Promise<void> {
  const path = process.env.ACP_KIT_PICTURE;
  if (!path) return;
  await tab.setViewportSize({ width: 900, height: 720 });
  for (const command of ["/plan", "/edit notes.md"]) {
    await tab.fill("textarea:enabled", command);
    await tab.keyboard.press("Escape"); // closes the suggestions
    await tab.keyboard.press("Enter");
    await tab.locator(command === "/plan" ? "p:text('The plan is done.')" : ".acp-permission").waitFor();
  }
  await tab.mouse.move(0, 0);
  await tab.screenshot({ path });
}
