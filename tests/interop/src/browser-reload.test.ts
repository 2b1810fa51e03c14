import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@acp-kit/agent";
import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { type GatewayServer, serveGateway } from "@acp-kit/gateway/node";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { v2 } from "@acp-kit/v2/agent";
import { v2 as v2OfGateway } from "@acp-kit/v2/gateway";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasChromium, launchChromium, pageHtml, pageScripts } from "./peers/chromium.js";
import { profiles } from "./peers/remote-servers.js";

declare const document: { readonly body: { readonly textContent: string } };

/** A browser on a busy machine needs time. */
const slowly = { timeout: 30_000 };

const WORDS = 120;
const RELOADS = [7, 31, 40, 80];
const word = (n: number): string => `word${n} `;
const words = (count: number): string => Array.from({ length: count }, (_, n) => word(n)).join("");

type Version = 1 | 2;

/** The profiles of the transport in both versions of the protocol. */
const ways = profiles.flatMap((profile) => [[profile, 1] as const, [profile, 2] as const]);

/** An agent that can't load sessions. Its only turn sends the words that the test allows. */
function slowAgent(version: Version) {
  let allowed = 0;
  let more = deferred();
  const agent = createAgent(
    {
      info: { name: "slow", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async (turn) => {
        turn.signal.addEventListener("abort", () => more.resolve());
        for (let said = 0; said < WORDS; said++) {
          while (said >= allowed && !turn.signal.aborted) await more.promise;
          if (turn.signal.aborted) return;
          await turn.message(word(said));
        }
      },
    },
    version === 2 ? { versions: [v2] } : {},
  );
  return {
    start: () => {
      const [ours, theirs] = linkedTransports();
      agent.connect(theirs);
      return ours;
    },
    sayUntil(count: number) {
      allowed = count;
      more.resolve();
      more = deferred();
    },
  };
}

describe.skipIf(!hasChromium)("gateway.reload: a page in Chromium that is reloaded during a turn", () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePage>>;
  beforeAll(async () => {
    const scripts = await pageScripts("reloading-page");
    pages = await servePage(scripts.get("/reloading-page.js") ?? "");
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  /** A page of a gateway, and the text that it shows. */
  async function open(profile: (typeof profiles)[number], version: Version) {
    const agent = slowAgent(version);
    const versions = version === 2 ? { versions: [v2OfGateway] } : {};
    const gateway = await createGateway({ engine: memoryEngine(), start: agent.start, ...versions });
    const server: GatewayServer = await serveGateway(gateway, { allowedOrigins: [pages.origin] });
    const tab = await browser.newPage();
    onTestFinished(async () => {
      await tab.close();
      await server.close();
      await gateway.close();
    });
    const shown = (): Promise<string> => tab.evaluate(() => document.body.textContent);
    const url = profile === "WebSocket" ? server.webSocketUrl : server.url;
    const query = new URLSearchParams({ profile, agent: url, version: String(version) });
    await tab.goto(`${pages.origin}/?${query}`);
    return { agent, tab, shown };
  }

  it.each(ways)(
    "turn.joined: is one message after the reload, and the page can cancel the turn, over %s in version %i",
    async (profile, version) => {
      const { agent, tab, shown } = await open(profile, version);
      agent.sayUntil(7);
      await expect.poll(shown, slowly).toBe(words(7));
      await tab.reload();
      await expect.poll(() => tab.title(), slowly).toBe("running 1");
      agent.sayUntil(12);
      await expect.poll(shown, slowly).toBe(words(12));
      expect(await tab.title()).toBe("running 1");
      await tab.click("body");
      await expect.poll(() => tab.title(), slowly).toBe("idle 1");
      expect(await shown()).toBe(words(12));
    },
  );

  it.each(ways)("shows every word exactly once, over %s in version %i", async (profile, version) => {
    const { agent, tab, shown } = await open(profile, version);
    for (const count of RELOADS) {
      agent.sayUntil(count);
      await expect.poll(shown, slowly).toBe(words(count));
      agent.sayUntil(count + 5); // These words are in transit while the page is unloaded.
      await tab.reload();
      await expect.poll(shown, slowly).toBe(words(count + 5));
    }
    agent.sayUntil(WORDS);
    await expect.poll(() => tab.title(), slowly).toBe("idle 1");
    expect(await shown()).toBe(words(WORDS));
    await tab.reload();
    await expect.poll(shown, slowly).toBe(words(WORDS));
  });
});

/** Serves the page at another origin than the gateway's. */
async function servePage(script: string) {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : pageHtml);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
