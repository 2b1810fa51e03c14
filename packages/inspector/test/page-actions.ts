import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecording } from "@acp-kit/testing/recording";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from "vitest";
import { type Inspector, inspectAgent } from "../src/node/index.js";
import type { OpenAgent } from "../src/node/wire/live-agent.js";
import { launch, noBrowserReason, openPage, type Watched } from "./browser.js";
import { everything } from "./in-memory.js";

/** The browser of a test file, and an empty folder for its sessions. */
export interface PageTests {
  browser(): Browser;
  folder(): string;
  /** Opens the inspector of an agent in the browser. */
  inspect(open?: OpenAgent): Promise<Watched & { readonly inspector: Inspector }>;
}

/** Starts a browser for all tests of a file. Without a browser, the file prints one line and skips its tests. */
export function pageTests(what: string): PageTests {
  if (noBrowserReason !== undefined) console.log(`Not run: ${what}, because ${noBrowserReason}.`);
  const parts: { browser?: Browser; folder?: string } = {};
  beforeAll(async () => {
    if (noBrowserReason !== undefined) return;
    parts.folder = mkdtempSync(join(tmpdir(), "acp-kit-inspector-"));
    parts.browser = await launch();
  });
  // If a failed test left a page open, this page would slow down the pages of the next test.
  afterEach(async () => {
    for (const context of parts.browser?.contexts() ?? []) await context.close();
  });
  afterAll(async () => {
    await parts.browser?.close();
    if (parts.folder !== undefined) rmSync(parts.folder, { recursive: true, force: true });
  });
  const started = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error("The browser was not started");
    return part;
  };
  return {
    browser: () => started(parts.browser),
    folder: () => started(parts.folder),
    async inspect(open = everything) {
      const inspector = await inspectAgent({ open, cwd: started(parts.folder) });
      onTestFinished(() => inspector.close());
      return { inspector, ...(await openPage(started(parts.browser), inspector.url)) };
    },
  };
}

/** Shows one of the tabs on the left. */
export const showTab = (page: Page, name: "Chat" | "Sessions" | "Agent" | "Raw"): Promise<void> =>
  page.locator(".tabs button", { hasText: name }).click();

/** Creates a session with the controls of the page, and shows its chat. */
export async function newSession(page: Page): Promise<void> {
  await showTab(page, "Sessions");
  await page.click("#new-session");
  await page.locator("#chosen-session").waitFor();
  await showTab(page, "Chat");
}

/** Sends a prompt with the composer. */
export async function prompt(page: Page, text: string): Promise<void> {
  await page.locator(".acp-composer textarea:enabled").fill(text);
  await page.keyboard.press("Escape");
  await page.click(".acp-send");
}

/** The texts of the visible rows of the wire. */
export const visibleRows = (page: Page): Promise<string[]> => page.locator(".row").allTextContents();

const axe = createRequire(import.meta.url).resolve("axe-core");

/** Returns the violations that axe finds in the page. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, because the page's own policy allows no other script.
  await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
  });
}

/** A recorded message. */
export interface Recorded {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns the recorded messages of one side, in order. */
export function messagesOf(inspector: Inspector, side: "client" | "agent"): readonly Recorded[] {
  return readRecording(inspector.recording()).entries.flatMap((entry) =>
    entry.kind === "message" && entry.from === side ? [entry.message as Recorded] : [],
  );
}

/** Waits until the client has sent this many messages of a method, and returns the params of the last one. */
export async function sentParams(inspector: Inspector, method: string, count = 1): Promise<unknown> {
  const sent = () => messagesOf(inspector, "client").filter((message) => message.method === method);
  await expect.poll(() => sent().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  return sent().at(-1)?.params;
}
