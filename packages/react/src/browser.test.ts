import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "@acp-kit/configs/browser";
import { entries, packages } from "@acp-kit/configs/packages";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const path = findBrowser();
if (path === undefined) {
  console.log("Not run: the components in a real browser, because no Chromium was found (ACP_KIT_BROWSER).");
}

/** A page of the tests, bundled from the sources. */
async function bundled(name: string): Promise<string> {
  const here = fileURLToPath(new URL("..", import.meta.url));
  const sources = packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [name + subpath.slice(1), join(directory, source)]),
  );
  const { outputFiles } = await build({
    entryPoints: [join(here, `test/${name}.tsx`)],
    bundle: true,
    format: "iife",
    jsx: "automatic",
    write: false,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "sources",
        setup({ onResolve }) {
          const known = new Map(sources as [string, string][]);
          onResolve({ filter: /^@acp-kit\// }, ({ path: name }) => {
            const source = known.get(name);
            return source === undefined ? undefined : { path: source };
          });
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

/** The values that the test page puts into its global scope. */
interface TestGlobals {
  readonly transcript: { apply(event: object): void; update(update: object): void };
  readonly counts: { rendered: number };
}

let browser: Browser;
let script: string;
let componentsScript: string;
beforeAll(async () => {
  if (path === undefined) return;
  [browser, script, componentsScript] = await Promise.all([
    chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] }),
    bundled("page"),
    bundled("components-page"),
  ]);
});
afterAll(() => browser?.close());

const style = readFileSync(new URL("../theme.css", import.meta.url), "utf8");

async function open(content = script): Promise<{ page: Page; wrong: string[] }> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.setContent(
    `<!doctype html><html lang="en"><head><title>Chat</title><style>body{margin:0}${style}</style></head><body><div id="root"></div></body></html>`,
  );
  await page.addScriptTag({ content });
  if (content === script) await page.locator(".acp-message-list").waitFor();
  return { page, wrong };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** Returns the violations that axe finds in both themes. */
async function violations(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async () => {
      document.documentElement.style.colorScheme = "light dark";
      document.body.style.background = "Canvas";
      const { axe: checker } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      return (await checker.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    });
    all.push(...found.map((each) => `${colorScheme}: ${each}`));
  }
  return all;
}

/** Adds messages, and waits until they are drawn. */
const add = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (messages) => {
    const { transcript } = globalThis as unknown as TestGlobals;
    for (let index = 0; index < messages; index += 1) {
      transcript.apply({ type: "prompt_sent", prompt: [{ type: "text", text: `question ${index}` }] });
      const content = { type: "text", text: `answer ${index}\n\n${"word ".repeat(index % 60)}` };
      transcript.update({ sessionUpdate: "agent_message_chunk", content });
      transcript.apply({ type: "turn_ended", stopReason: "end_turn" });
    }
    for (let frame = 0; frame < 6; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);

/** Returns the distance between the visible part of the list and its end, in pixels. */
const fromEnd = (page: Page): Promise<number> =>
  page.locator(".acp-message-list").evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);

describe.skipIf(path === undefined)("the components in a browser", () => {
  it("render only the visible entries of 10,000, and stay at the end until the user scrolls away", async () => {
    const { page, wrong } = await open();
    await add(page, 5_000);
    await expect.poll(() => fromEnd(page)).toBeLessThan(50);
    expect(await page.locator(".acp-message-item").count()).toBeLessThan(60);
    expect(await page.locator(".acp-message-item").last().textContent()).toContain("answer 4999");
    await add(page, 1);
    await expect.poll(() => fromEnd(page)).toBeLessThan(50);
    await page.locator(".acp-message-list").hover();
    await page.mouse.wheel(0, -3_000);
    await page.locator(".acp-to-end").waitFor();
    await add(page, 1);
    expect(await fromEnd(page)).toBeGreaterThan(500);
    await page.click(".acp-to-end");
    await expect.poll(() => fromEnd(page)).toBeLessThan(50);
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("render an entry again only when it changes", async () => {
    const { page } = await open();
    await add(page, 100);
    const rendered = await page.evaluate(async () => {
      const { transcript, counts } = globalThis as unknown as TestGlobals;
      transcript.apply({ type: "prompt_sent", prompt: [{ type: "text", text: "more" }] });
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let count = 0; count < 4; count += 1) await frame();
      const before = counts.rendered;
      for (let chunk = 0; chunk < 50; chunk += 1) {
        transcript.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "word " } });
        await frame();
        await frame();
      }
      return counts.rendered - before;
    });
    expect(rendered).toBeLessThan(120); // only the entry that receives chunks, not its neighbours
    await page.close();
  });

  it("have no violation that axe finds, in both themes", async () => {
    const { page } = await open();
    await add(page, 3);
    await page.evaluate(async () => {
      const { transcript } = globalThis as unknown as TestGlobals;
      const text =
        "# Title\n\n[link](https://example.com)\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [ ] task";
      transcript.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
      transcript.update({
        sessionUpdate: "plan",
        entries: [{ content: "Look", status: "in_progress", priority: "low" }],
      });
      transcript.update({
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "Edit",
        kind: "edit",
        status: "in_progress",
        rawInput: {},
        content: [
          { type: "diff", path: "/a.ts", oldText: "a\nb\n", newText: "a\nc\n" },
          { type: "terminal", terminalId: "t" },
        ],
      });
      transcript.apply({
        type: "terminal",
        terminalId: "t",
        command: "ls",
        output: "\u001b[31mred\u001b[32mgreen\u001b[34mblue",
      });
      for (let frame = 0; frame < 6; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    await page.locator(".acp-composer textarea").fill("/");
    await page.addScriptTag({ content: axe });
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  it("give a diff's line the width that its numbers don't need", async () => {
    const { page } = await open(componentsScript);
    await page.evaluate(() => (globalThis as unknown as { show(name: string): void }).show("diff"));
    const widths = await page
      .locator(".acp-diff tr:first-child td")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
    expect(widths).toHaveLength(4);
    expect((widths[3] as number) / widths.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(0.85);
    await page.close();
  });

  it("have no violation that axe finds in both themes, each component on a page of its own", async () => {
    const { page, wrong } = await open(componentsScript);
    await page.addScriptTag({ content: axe });
    const names = await page.evaluate(() => (globalThis as unknown as { names: string[] }).names);
    expect(names.length).toBeGreaterThanOrEqual(16);
    for (const name of names) {
      await page.evaluate((each) => (globalThis as unknown as { show(name: string): void }).show(each), name);
      await page.locator("h1", { hasText: name }).waitFor();
      expect({ name, violations: await violations(page) }).toEqual({ name, violations: [] });
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});
