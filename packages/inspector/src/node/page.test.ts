import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readRecording } from "@acp-kit/testing/recording";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBrowserReason, openPage } from "../../test/browser.js";
import { hostileTexts } from "../../test/hostile.js";
import { hostileAgent } from "../../test/in-memory.js";
import { newSession, pageTests, prompt, showTab, violations, visibleRows } from "../../test/page-actions.js";
import { inspectorHtml, inspectRecording } from "./index.js";

const tests = pageTests("the inspector in a real browser");
const { inspect } = tests;

describe.skipIf(noBrowserReason !== undefined)("the inspector in a browser", () => {
  it("shows a turn with permission, diff, plan and terminal, and a reload loses nothing", async () => {
    const { page, wrong, inspector } = await inspect();
    await newSession(page);
    await prompt(page, `/edit ${join(tests.folder(), "a.txt")}`);
    await page.locator(".acp-permission button").first().waitFor();
    await page.reload();
    await page.locator(".acp-permission button").first().click();
    await page.locator(".acp-agent-message").first().waitFor();
    await prompt(page, "/plan");
    await page.locator(".acp-plan [data-status=completed]").first().waitFor();
    await prompt(page, "/run echo inspected");
    await page.locator(".acp-terminal", { hasText: "inspected" }).first().waitFor();
    await prompt(page, "/slow 60");
    await page.locator(".acp-cancel").click();
    await page.locator(".turn-end", { hasText: "cancelled" }).waitFor();
    expect(await page.locator(".acp-diff").count()).toBeGreaterThan(0);
    await page.fill("#search", "session/prompt");
    await page.locator("#count", { hasText: / of / }).waitFor();
    expect((await visibleRows(page)).some((row) => row.includes("session/prompt"))).toBe(true);
    const { entries } = readRecording(inspector.recording());
    expect(entries.filter((entry) => entry.kind === "message").length).toBeGreaterThan(20);
    expect(await violations(page)).toEqual([]);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("shows the details of a message, its pair, the turns, and the conversation at a message", async () => {
    const { page, wrong } = await inspect();
    await newSession(page);
    await prompt(page, "/stream");
    await page.locator(".row", { hasText: "end_turn" }).waitFor();
    await page.fill("#search", "session/prompt");
    await page.locator(".row.request", { hasText: "session/prompt" }).click();
    expect(await page.locator("#detail").textContent()).toContain('"/stream"');
    await page.click("text=Conversation at this message");
    await page.locator(".banner", { hasText: "As it was at message" }).waitFor();
    expect(await page.locator(".acp-agent-message").count()).toBe(0);
    expect(await page.locator(".acp-user-message").count()).toBe(1);
    await page.click("text=Back to the end");
    await page.locator(".acp-agent-message").first().waitFor();
    await page.click("text=Go to the response");
    expect(await page.locator(".row.picked").textContent()).toContain("end_turn");
    await page.click("#turns");
    expect(await page.locator(".waterfall li").count()).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("composes a message from the schema, shows its violations, and sends it anyway", async () => {
    const { page, wrong } = await inspect();
    await newSession(page);
    await showTab(page, "Raw");
    await page.selectOption("#raw-method", "session/set_mode");
    await page.locator("#raw-faults li").first().waitFor({ state: "detached" });
    await page.fill(
      "#raw-text",
      '{ "jsonrpc": "2.0", "id": 99, "method": "session/prompt", "params": { "prompt": 1 } }',
    );
    await page.locator("#raw-faults li").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.click("text=Send anyway");
    await page.locator(".row.response.failed").first().waitFor();
    await page.locator(".row .mark").first().waitFor();
    await page
      .locator(".row", { has: page.locator(".mark") })
      .first()
      .click();
    expect(await page.locator(".detail .marks li").count()).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("hostile.inspector: executes nothing of a hostile agent, and shows it as text", async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(30);
    const { page, wrong, inspector } = await inspect(hostileAgent);
    await newSession(page);
    await prompt(page, "attack");
    await page.locator(".acp-permission").last().waitFor();
    const count = Number(await page.locator("#list .row").last().getAttribute("aria-setsize"));
    await page.focus("#list");
    for (let row = 0; row < Math.min(count, 60); row += 1) await page.keyboard.press(row === 0 ? "Home" : "ArrowDown");
    await page.locator(".acp-message-list").evaluate(async (list) => {
      for (let top = 0; top < list.scrollHeight; top += 2_500) {
        list.scrollTop = top;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    const state = await page.evaluate(() => ({
      pwned: (window as { pwned?: unknown }).pwned,
      scripts: document.scripts.length,
      frames: document.querySelectorAll("iframe, object, embed, base, form[action], svg, style[type]").length,
      links: [...document.querySelectorAll("a")].map((link) => link.protocol),
      text: document.body.textContent ?? "",
    }));
    expect(state.pwned).toBeUndefined();
    expect(state.scripts).toBe(1);
    expect(state.frames).toBe(0);
    expect(state.links.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
    expect(state.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(wrong).toEqual([]);
    const file = join(tests.folder(), "hostile.html");
    writeFileSync(file, inspectorHtml(readRecording(inspector.recording())));
    const saved = await openPage(tests.browser(), pathToFileURL(file).href);
    await saved.page.locator(".row").first().waitFor();
    expect(await saved.page.evaluate(() => (window as { pwned?: unknown }).pwned)).toBeUndefined();
    expect(await saved.page.locator("script").count()).toBe(1);
    expect(saved.wrong).toEqual([]);
    await Promise.all([page.close(), saved.page.close()]);
  });

  it("compares two recordings, and names the first difference", async () => {
    const line = (t: number, from: string, message: object) => JSON.stringify({ t, kind: "message", from, message });
    const header = JSON.stringify({
      acpRecording: 1,
      startedAt: "2026-01-01T00:00:00.000Z",
      recordedIn: "between",
      redacted: {},
    });
    const recording = (stopReason: string, id: string) =>
      readRecording(
        [
          header,
          line(1, "client", { jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId: id, prompt: [] } }),
          line(2, "agent", { jsonrpc: "2.0", id, result: { stopReason } }),
        ].join("\n"),
      );
    const inspector = await inspectRecording(recording("end_turn", "a"), { other: recording("refusal", "b") });
    onTestFinished(() => inspector.close());
    const { page, wrong } = await openPage(tests.browser(), inspector.url);
    await page.locator(".pair-changed").waitFor();
    expect(await page.locator(".count").textContent()).toBe("1 difference; the first at message 2.");
    expect(await page.locator(".pair-same").count()).toBe(1);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("renders only visible rows of ten thousand messages, also on a narrow screen", async () => {
    const { page, wrong } = await inspect();
    await newSession(page);
    await prompt(page, "/flood 10000");
    await page.locator(".row", { hasText: "end_turn" }).waitFor();
    expect((await visibleRows(page)).length).toBeLessThan(80);
    await page.setViewportSize({ width: 400, height: 800 });
    await page.click(".views button:has-text('Wire')");
    expect(await page.locator(".chat").isVisible()).toBe(false);
    expect((await visibleRows(page)).length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("writes screenshots to the folder ACP_KIT_SCREENSHOTS", async ({ skip }) => {
    const folder = process.env.ACP_KIT_SCREENSHOTS;
    if (!folder) return skip("ACP_KIT_SCREENSHOTS is not set");
    const { page, inspector } = await inspect();
    await newSession(page);
    await prompt(page, "/plan");
    await page.locator(".row", { hasText: "end_turn" }).last().waitFor();
    await prompt(page, "/run echo hello");
    await page.locator(".acp-terminal", { hasText: "hello" }).first().waitFor();
    await page.locator(".acp-send", { hasText: "Send" }).waitFor();
    await prompt(page, "/permission");
    await page.locator(".acp-permission button").first().waitFor();
    await page.locator(".row.request", { hasText: "request_permission" }).last().click();
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [400, 1400]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: width === 400 ? 800 : 900 });
        await page.screenshot({ path: join(folder, `inspector-${width}-${colorScheme}.png`) });
        if (width === 400) {
          await page.click(".views button:has-text('Wire')");
          await page.screenshot({ path: join(folder, `inspector-wire-${width}-${colorScheme}.png`) });
          await page.click(".views button:has-text('Conversation')");
        }
      }
    }
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.click("#turns");
    await page.screenshot({ path: join(folder, "inspector-turns.png") });
    await page.click("#turns");
    for (const tab of ["Sessions", "Agent", "Raw"] as const) {
      await showTab(page, tab);
      await page.screenshot({ path: join(folder, `inspector-${tab.toLowerCase()}.png`) });
    }
    writeFileSync(join(folder, "recording.jsonl"), inspector.recording());
    await page.close();
  });
});
