// Measures the page of the inspector in Chromium: the longest task and the memory after a stream of updates.
//   pnpm --filter @acp-kit/bench inspector [updates per second] [seconds]
import { findBrowser } from "@acp-kit/configs/browser";
import { inspectProxy } from "@acp-kit/inspector";
import { chromium } from "playwright-core";

const [perSecond = 10_000, seconds = 10] = process.argv.slice(2).map(Number);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("No Chromium was found (ACP_KIT_BROWSER).");
await using inspector = await inspectProxy({ maxRecordingBytes: 2 ** 30 });
const { recorder } = inspector;
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.addInitScript({
    content: `globalThis.tasks = [];
      globalThis.frames = 0;
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
      const frame = () => { globalThis.frames += 1; requestAnimationFrame(frame); };
      requestAnimationFrame(frame);`,
  });
  await page.goto(inspector.url);
  const params = { cwd: "/work", mcpServers: [] };
  recorder.message("client", { jsonrpc: "2.0", id: 1, method: "session/new", params });
  recorder.message("agent", { jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } });
  const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "Go" }] };
  recorder.message("client", { jsonrpc: "2.0", id: 2, method: "session/prompt", params: prompt });
  let sent = 0;
  const start = performance.now();
  while (sent < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const content = { type: "text", text: sent % 200 === 0 ? "\n\nnext " : `word ${sent} ` };
      const update = { sessionUpdate: "agent_message_chunk", content };
      recorder.message("agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  recorder.message("agent", { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } });
  const streamed = performance.now() - start;
  await page.locator(".row", { hasText: "end_turn" }).waitFor({ timeout: 280_000 });
  const shown = performance.now() - start;
  const { tasks, frames } = await page.evaluate(() => {
    const { tasks, frames } = globalThis as unknown as { tasks: number[]; frames: number };
    return { tasks, frames };
  });
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage"); // after the tasks are read: it is a long one
  const heap = await page.evaluate(() => {
    const { memory } = performance as unknown as { memory: { usedJSHeapSize: number } };
    return memory.usedJSHeapSize;
  });
  console.log(`${sent} updates in ${(streamed / 1000).toFixed(1)} s, all shown after ${(shown / 1000).toFixed(1)} s`);
  console.log(
    `longest task ${Math.max(0, ...tasks).toFixed(0)} ms, ${tasks.length} tasks over 50 ms, ${frames} frames`,
  );
  console.log(
    `heap of the page ${(heap / 2 ** 20).toFixed(0)} MiB, of this process ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MiB`,
  );
} finally {
  await browser.close();
}
