import { join } from "node:path";
import { readRecording } from "@acp-kit/testing/recording";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBrowserReason, openPage } from "../../test/browser.js";
import { newSession, pageTests, prompt, showTab, violations } from "../../test/page-actions.js";
import { shortRecording } from "../../test/recordings.js";
import { inspectRecording } from "./index.js";

// These tests compare the structure of the page: its roles, regions and names. A screenshot would differ with each font
// and browser.

const tests = pageTests("the structure of the inspector's page in a real browser");

/**
 * Returns the roles and names of the page, without the parts that differ from run to run: times, sizes, ids, versions,
 * folders, and the choice of visible rows.
 */
async function structureOf(page: Page): Promise<string> {
  const lines = (await page.locator("body").ariaSnapshot())
    .replaceAll(tests.folder(), "<folder>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, "<date>")
    .replace(/\d+(?:\.\d+)? ms/g, "<time>")
    .replace(/\b\d+\.\d+ s\b/g, "<time>")
    .replace(/\b\d+\.\d{3}\b/g, "<time>")
    .replace(/[\d,]+ bytes/g, "<size>")
    .replace(/version [\d.]+|\b\d+\.\d+\.\d+/g, "<version>")
    .split("\n");
  const isRow = (line: string): boolean => /^ +- '?option "<time> /.test(line) && !line.includes("[selected]");
  return `${lines.filter((line) => !isRow(line)).join("\n")}\n`;
}

/**
 * Returns the structure of the page after it has drawn every message, which is when two structures in a row are equal.
 */
async function settledStructure(page: Page): Promise<string> {
  let before = "";
  for (;;) {
    const structure = await structureOf(page);
    if (structure === before && !/\d loading/.test(structure)) return structure;
    before = structure;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
}

/** Compares the structure with the committed one, and the page with the rules of axe. */
async function expectState(page: Page, name: string): Promise<void> {
  await expect(await settledStructure(page)).toMatchFileSnapshot(`../../test/structure/${name}.txt`);
  expect(await violations(page)).toEqual([]);
}

describe.skipIf(noBrowserReason !== undefined)(
  "the inspector's page has the committed structure, and no violation that axe finds",
  () => {
    it("for an agent that waits for a permission, and for each tab", async () => {
      const { page, wrong } = await tests.inspect();
      await newSession(page);
      await prompt(page, "/plan");
      await page.locator(".row", { hasText: "end_turn" }).waitFor();
      await prompt(page, `/edit ${join(tests.folder(), "a.txt")}`);
      await page.locator(".acp-permission button").first().waitFor();
      await page.locator(".row.request", { hasText: "request_permission" }).click();
      await page.locator(".detail pre").waitFor();
      await expectState(page, "permission");
      await page.click("#turns");
      await page.locator(".waterfall").waitFor();
      await expectState(page, "turns");
      await page.click("#turns");
      await showTab(page, "Sessions");
      await expectState(page, "sessions");
      await showTab(page, "Agent");
      await expectState(page, "agent");
      await showTab(page, "Raw");
      await page.selectOption("#raw-method", "session/cancel");
      await page.locator("#raw-faults li").first().waitFor({ state: "detached" });
      await expectState(page, "raw");
      expect(wrong).toEqual([]);
    });

    it("for a form of the agent", async () => {
      const { page, wrong } = await tests.inspect();
      await newSession(page);
      await prompt(page, "/form");
      await page.locator(".acp-form").waitFor();
      expect(await violations(page)).toEqual([]);
      await expect(`${await page.locator(".acp-form").ariaSnapshot()}\n`).toMatchFileSnapshot(
        "../../test/structure/form.txt",
      );
      await page.locator(".acp-form button[type=submit]").click();
      await page.locator(".acp-send", { hasText: "Send" }).waitFor();
      await prompt(page, "/url");
      await page.locator(".acp-form .acp-url").waitFor();
      expect(await violations(page)).toEqual([]);
      await expect(`${await page.locator(".acp-form").ariaSnapshot()}\n`).toMatchFileSnapshot(
        "../../test/structure/web-page.txt",
      );
      expect(wrong).toEqual([]);
    });

    it("for a recording, on a wide and on a narrow screen, in both themes, and for a comparison", async () => {
      const inspector = await inspectRecording(shortRecording());
      onTestFinished(() => inspector.close());
      const { page, wrong } = await openPage(tests.browser(), inspector.url);
      await page.locator(".row", { hasText: "exited" }).waitFor();
      await expectState(page, "recording");
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 400, height: 800 });
      for (const view of ["Conversation", "Wire", "Process"]) {
        await page.locator(".views button", { hasText: view }).click();
        expect(await violations(page)).toEqual([]);
      }
      const other = await inspectRecording(shortRecording(), {
        other: readRecording('{"from":"client","message":{}}'),
      });
      onTestFinished(() => other.close());
      const compared = await openPage(tests.browser(), other.url);
      await compared.page.locator(".pair-row").nth(10).waitFor();
      await expectState(compared.page, "comparison");
      expect([...wrong, ...compared.wrong]).toEqual([]);
    });
  },
);
