import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostile, lively, long } from "../../../test/recordings.js";
import type { Recording } from "../format.js";
import { traceHtml } from "./trace-html.js";

// The page in a real browser: the one that ACP_KIT_BROWSER names, or an installed Chromium. None is downloaded.
const path =
  process.env.ACP_KIT_BROWSER ??
  ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(whichOf).find(Boolean);
const reason = "no Chromium was found (ACP_KIT_BROWSER)";

function whichOf(name: string): string | undefined {
  try {
    return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

if (path === undefined) console.log(`Not run: the trace page in a real browser, because ${reason}.`);

let browser: Browser;
let directory: string;
beforeAll(async () => {
  if (path === undefined) return;
  directory = mkdtempSync(join(tmpdir(), "acp-kit-trace-"));
  // It shows our own page from a file; a container offers no sandbox.
  browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
});
afterAll(async () => {
  await browser?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

/** Opens a recording's page, and collects its errors. */
async function open(
  recording: Recording,
  options: { colorScheme?: "light" | "dark" } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const file = join(directory, "trace.html");
  writeFileSync(file, await traceHtml(recording));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, wrong };
}

const rows = (page: Page): Promise<string[]> => page.locator(".row").allTextContents();
const detail = (page: Page): Promise<string | null> => page.locator("#detail").textContent();

describe.skipIf(path === undefined)("the trace page in a browser", () => {
  it("shows the sequence and the details of the selected row, by keyboard alone", async () => {
    const { page, wrong } = await open(lively());
    expect(await page.title()).toBe("editor 1.0 ↔ my-agent 2.0");
    expect(await page.locator("#facts").textContent()).toContain("10 messages");
    expect(await rows(page)).toHaveLength(16);
    await page.keyboard.press("ArrowDown");
    expect(await detail(page)).toContain('"protocolVersion": 1');
    expect(await detail(page)).toContain("100 ms");
    await page.keyboard.press("Enter");
    expect(await page.locator(".row.picked").textContent()).toContain("↩ initialize");
    expect(await detail(page)).toContain('"name": "my-agent"');
    await page.keyboard.press("End");
    expect(await page.locator(".row.picked").textContent()).toContain("agent exited with 1");
    expect(await page.locator("#list").getAttribute("aria-activedescendant")).toBe("row-15");
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("filters by text, method, side, session and errors, and resets", async () => {
    const { page, wrong } = await open(lively());
    await page.keyboard.press("/");
    await page.keyboard.type("looking");
    expect(await rows(page)).toHaveLength(1);
    expect(await page.locator("#count").textContent()).toBe("1 of 16");
    await page.keyboard.press("Escape");
    expect(await rows(page)).toHaveLength(16);
    await page.keyboard.press("e");
    expect(await rows(page)).toHaveLength(3);
    await page.keyboard.press("Escape");
    await page.selectOption("#method", "session/prompt");
    expect(await rows(page)).toHaveLength(2);
    await page.selectOption("#side", "agent");
    expect(await rows(page)).toHaveLength(1);
    await page.click("#clear");
    await page.selectOption("#session", "one");
    expect(await rows(page)).toHaveLength(7);
    await page.click("#clear");
    await page.selectOption("#side", "process");
    expect(await rows(page)).toHaveLength(5);
    await page.fill("#search", "no such thing");
    expect(await page.locator("#empty").isVisible()).toBe(true);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("executes nothing of a hostile recording, and shows it as text", async () => {
    const { page, wrong } = await open(hostile());
    const count = (await rows(page)).length;
    expect(count).toBe(11);
    for (let row = 0; row < count; row += 1) await page.keyboard.press("ArrowDown");
    await page.locator(".row").nth(3).click();
    expect(await detail(page)).toContain("</script><script>alert(1)</script>");
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("({}).polluted")).toBeUndefined();
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("is as fast with ten thousand messages: only visible rows exist", async () => {
    const { page, wrong } = await open(long(10_000));
    expect(await page.locator("#count").textContent()).toBe("10000 rows");
    expect((await rows(page)).length).toBeLessThan(60);
    await page.keyboard.press("End");
    await page.locator(".row.picked").waitFor();
    expect(await page.locator(".row.picked").textContent()).toContain("word 9999");
    await page.fill("#search", "word 5000");
    expect(await page.locator("#count").textContent()).toBe("1 of 10000");
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("is light or dark like the system, or as the reader chooses", async () => {
    const background = (page: Page): Promise<string> =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const { page: light } = await open(lively(), { colorScheme: "light" });
    const { page: dark } = await open(lively(), { colorScheme: "dark" });
    const [first, second] = [await background(light), await background(dark)];
    expect(first).not.toBe(second);
    await light.click("#theme");
    expect(await background(light)).toBe(second);
    if (process.env.ACP_KIT_SCREENSHOTS) {
      for (const [name, page] of Object.entries({ light: dark, dark: light })) {
        await page.keyboard.press("ArrowDown");
        await page.screenshot({ path: join(process.env.ACP_KIT_SCREENSHOTS, `${name}.png`) });
      }
    }
    await Promise.all([light.close(), dark.close()]);
  });
});
