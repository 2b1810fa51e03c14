import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Recording } from "@acp-kit/testing/recording";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launch, noBrowserReason, openPage, type Watched } from "../../test/browser.js";
import { hostileRecording, longRecording, shortRecording } from "../../test/recordings.js";
import { inspectorHtml } from "./index.js";

if (noBrowserReason !== undefined) console.log(`Not run: the page of a recording, because ${noBrowserReason}.`);

let browser: Browser;
let directory: string;
beforeAll(async () => {
  if (noBrowserReason !== undefined) return;
  directory = mkdtempSync(join(tmpdir(), "acp-kit-recording-page-"));
  browser = await launch();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

/**
 * Opens the page of a recording as a file, waits until it shows the whole recording, and records every other request as
 * an error.
 */
async function open(recording: Recording, options: { colorScheme?: "light" | "dark" } = {}): Promise<Watched> {
  const file = join(directory, "recording.html");
  writeFileSync(file, inspectorHtml(recording));
  const { page, wrong } = await openPage(browser, pathToFileURL(file).href, options);
  await page.locator(".row").first().waitFor();
  await page.locator("#facts", { hasText: /\d loading/ }).waitFor({ state: "detached" });
  return { page, wrong };
}

const rows = (page: Page): Promise<string[]> => page.locator(".row").allTextContents();
const detail = (page: Page): Promise<string | null> => page.locator("#detail").textContent();
/** Repeats an expectation, because the page may still be drawing. */
const soon = <T>(value: () => Promise<T>) => expect.poll(value, { timeout: 30_000 });
const count = (page: Page, text: string): Promise<void> => page.locator("#count", { hasText: text }).waitFor();

describe.skipIf(noBrowserReason !== undefined)("the page of a recording in a browser", () => {
  it("shows the messages and the details of the selected one, by keyboard alone", async () => {
    const { page, wrong } = await open(shortRecording());
    expect(await page.title()).toBe("editor 1.0 ↔ my-agent 2.0");
    await soon(() => page.locator("#facts").textContent()).toMatch(/^2026-11-21 12:00:00 UTC17 rows5\.4 s3 errors/);
    await soon(() => rows(page)).toHaveLength(17);
    await soon(() => detail(page)).toContain("Select a message");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await soon(() => detail(page)).toContain('"protocolVersion": 1');
    await soon(() => detail(page)).toContain("100 ms");
    await page.keyboard.press("Enter");
    await soon(() => page.locator(".row.picked").textContent()).toContain("↩ initialize");
    await soon(() => detail(page)).toContain('"name": "my-agent"');
    await page.keyboard.press("End");
    await soon(() => page.locator(".row.picked").textContent()).toContain("agent exited with 1");
    await soon(() => page.locator("#list").getAttribute("aria-activedescendant")).toBe("row-16");
    expect(wrong).toEqual([]);
  });

  it("shows the conversation, without controls of an agent", async () => {
    const { page, wrong } = await open(shortRecording());
    await page.selectOption("#chosen-session", "one");
    await soon(() => page.locator(".acp-user-message").textContent()).toContain("Fix it");
    await soon(() => page.locator(".acp-agent-message").textContent()).toContain("Looking");
    await soon(() => page.locator(".turn-end").textContent()).toContain("Internal error");
    await soon(() => page.locator(".acp-composer, #new-session, #raw-text").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  it("filters by text, method, side, session and problems, and resets", async () => {
    const { page, wrong } = await open(shortRecording());
    await page.keyboard.press("/");
    await page.keyboard.type("looking");
    await count(page, "1 of 17");
    await soon(() => rows(page)).toHaveLength(1);
    await page.keyboard.press("Escape");
    await count(page, "17 rows");
    await soon(() => rows(page)).toHaveLength(17);
    await page.keyboard.press("e");
    await count(page, " of 17");
    for (const text of ["Welcome!", "Internal error", "agent exited with 1"])
      await soon(() => page.locator(".row", { hasText: text }).count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.selectOption("#method", "session/prompt");
    await count(page, "2 of 17");
    await page.selectOption("#side", "agent");
    await count(page, "1 of 17");
    await page.click("#clear");
    await count(page, "17 rows");
    await page.selectOption("#session", "one");
    await count(page, "7 of 17");
    await page.click("#clear");
    await page.selectOption("#side", "process");
    await count(page, "5 of 17");
    await page.fill("#search", "no such thing");
    await page.locator(".wire .empty", { hasText: "No message matches" }).waitFor();
    expect(wrong).toEqual([]);
  });

  it("hostile.inspector: executes nothing of a hostile recording, and shows it as text", async () => {
    const { page, wrong } = await open(hostileRecording());
    const total = 11;
    await soon(() => rows(page)).toHaveLength(total);
    for (let row = 0; row < total; row += 1) await page.keyboard.press("ArrowDown");
    await page.locator(".row").nth(3).click();
    await soon(() => detail(page)).toContain("</script><script>alert(1)</script>");
    expect(await page.locator("script").count()).toBe(1); // the page removes the data after it has read them
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("({}).polluted")).toBeUndefined();
    expect(await page.locator("body").textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(wrong).toEqual([]);
  });

  it("refuses to parse text as HTML, in any script of the page", async () => {
    const { page } = await open(shortRecording());
    const attempt =
      "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'parsed'; } catch (error) { return error.name; } })()";
    expect(await page.evaluate(attempt)).toBe("TypeError");
  });

  it("renders only visible rows of ten thousand messages, and searches all of them", async () => {
    const { page, wrong } = await open(longRecording(10_000));
    await count(page, "10000 rows");
    expect((await rows(page)).length).toBeLessThan(60);
    await page.keyboard.press("End");
    await page.locator(".row.picked", { hasText: "word 9999" }).waitFor();
    await page.fill("#search", "word 5000");
    await count(page, "1 of 10000");
    expect(wrong).toEqual([]);
  });

  it("is light or dark like the system, or as the reader chooses", async () => {
    const background = (page: Page): Promise<string> =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const { page: light } = await open(shortRecording(), { colorScheme: "light" });
    const { page: dark } = await open(shortRecording(), { colorScheme: "dark" });
    const [first, second] = [await background(light), await background(dark)];
    expect(first).not.toBe(second);
    await light.click("#theme");
    expect(await background(light)).toBe(second);
  });

  it("fits on a narrow screen: no part is wider than the screen", async () => {
    const { page, wrong } = await open(shortRecording());
    await page.setViewportSize({ width: 400, height: 800 });
    for (const view of ["Conversation", "Wire", "Process"]) {
      await page.click(`.views button:has-text('${view}')`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    }
    expect(wrong).toEqual([]);
  });
});
