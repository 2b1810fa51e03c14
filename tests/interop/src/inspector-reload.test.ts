import { readFile } from "node:fs/promises";
import { createAgent } from "@acp-kit/agent";
import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { serveGateway } from "@acp-kit/gateway/node";
import { webSocketAgent } from "@acp-kit/http/node";
import { type InspectAgentOptions, inspectAgent } from "@acp-kit/inspector";
import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isInspectorBuilt } from "./peers/build-command-line.js";
import { hasChromium, launchChromium } from "./peers/chromium.js";

if (!isInspectorBuilt) console.log("Not run: a reload of the inspector, because @acp-kit/inspector is not built.");

const slowly = { timeout: 30_000 };
const WORDS = 60;
const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");

/** An agent whose only turn sends the words that the test allows, and requests a permission after half of them. */
function slowAgent() {
  let allowed = 0;
  let more = deferred();
  const agent = createAgent({
    info: { name: "slow", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      for (let sent = 0; sent < WORDS; sent += 1) {
        while (sent >= allowed) await more.promise;
        if (sent === WORDS / 2) await turn.permit(turn.toolCall({ title: "Go on" }));
        await turn.message(`word${sent} `);
      }
    },
  });
  return {
    start(): Transport {
      const [ours, theirs] = linkedTransports();
      agent.connect(theirs);
      return ours;
    },
    sendUntil(count: number): void {
      allowed = count;
      more.resolve();
      more = deferred();
    },
  };
}

type SlowAgent = ReturnType<typeof slowAgent>;

/** The ways to the agent: in this process, or behind a gateway, over WebSocket. */
const ways: Readonly<Record<string, (agent: SlowAgent) => Promise<InspectAgentOptions["open"]>>> = {
  directly: async (agent) => () => agent.start(),
  "behind a gateway": async (agent) => {
    const gateway = await createGateway({ engine: memoryEngine(), start: agent.start });
    const server = await serveGateway(gateway);
    onTestFinished(async () => {
      await server.close();
      await gateway.close();
    });
    const remote = webSocketAgent(server.webSocketUrl);
    return () => remote.open() as Promise<Transport>;
  },
};

/** Everything that the page shows of the conversation and the wire. */
async function shown(page: Page): Promise<object> {
  const part = (selector: string): Promise<string> => page.locator(selector).ariaSnapshot();
  return {
    title: await page.title(),
    facts: await part("#facts"),
    conversation: await part(".acp-messages"),
    wire: await part("#list"),
    count: await page.locator("#count").textContent(),
    process: await part(".process-lines"),
    requests: await page.locator(".open-requests").allTextContents(),
  };
}

/** The text of all messages of the agent. */
async function text(page: Page): Promise<string> {
  return (await page.locator(".acp-agent-message").allTextContents()).join(" ").replace(/\s+/g, " ").trim();
}

/** The recording that the page saves. */
async function saved(page: Page): Promise<string> {
  const download = page.waitForEvent("download");
  await page.locator(".menu summary").click();
  await page.locator(".menu button", { hasText: "Recording" }).click();
  return readFile(await (await download).path(), "utf8");
}

describe.skipIf(!hasChromium || !isInspectorBuilt)("a page of the inspector that is reloaded during a turn", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(Object.keys(ways))(
    "shows the same as before, and each later message once, %s",
    { timeout: 120_000 },
    async (way) => {
      const agent = slowAgent();
      const open = await (ways[way] as (typeof ways)[string])(agent);
      const inspector = await inspectAgent({ open, cwd: "/" });
      onTestFinished(() => inspector.close());
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.goto(inspector.url);
      await page.locator(".tabs button", { hasText: "Sessions" }).click();
      await page.click("#new-session");
      await page.locator("#chosen-session").waitFor();
      await page.locator(".tabs button", { hasText: "Chat" }).click();
      await page.locator(".acp-composer textarea:enabled").fill("go");
      await page.click(".acp-send");

      for (const count of [11, WORDS / 2]) {
        agent.sendUntil(count);
        await expect.poll(() => text(page), slowly).toBe(words(count));
      }
      agent.sendUntil(WORDS / 2 + 1);
      await page.locator(".acp-permission").waitFor();
      const before = await shown(page);
      await page.reload();
      await page.locator(".acp-permission").waitFor();
      await expect.poll(() => shown(page), slowly).toEqual(before);
      expect(await saved(page)).toBe(inspector.recording());

      await page.locator(".acp-permission button").first().click();
      await expect.poll(() => text(page), slowly).toBe(words(WORDS / 2 + 1));
      agent.sendUntil(WORDS - 5); // these words are sent while the page is unloaded
      await page.reload();
      await expect.poll(() => text(page), slowly).toBe(words(WORDS - 5));
      expect(await page.locator(".acp-cancel").count()).toBe(1); // the turn still runs
      agent.sendUntil(WORDS);
      await page.locator(".row", { hasText: "end_turn" }).waitFor();
      await expect.poll(() => text(page), slowly).toBe(words(WORDS));
      const after = await shown(page);
      await page.reload();
      await expect.poll(() => shown(page), slowly).toEqual(after);
      expect(await saved(page)).toBe(inspector.recording());
      await page.close();
    },
  );
});
