import { everythingAgent } from "@acp-kit/everything-agent";
import { serveHttp } from "@acp-kit/http/node";
import { Cable } from "@acp-kit/promises-tests/cable";
import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasChromium, launchChromium, pageHtml, pageScripts } from "./peers/chromium.js";
import type { Page } from "./peers/page.js";
import { profiles } from "./peers/remote-servers.js";

const OFFLINE_MS = 10_000;
const SECONDS = 12;

/** The page of the tab; its functions run in the browser. */
const page = {} as Page;

// Within `evaluate`, in the browser.
declare const location: { readonly href: string };
declare class Worker {
  constructor(path: string);
  onmessage: (event: { readonly data: unknown }) => void;
  postMessage(value: unknown): void;
}

describe.skipIf(!hasChromium)("a page in Chromium", () => {
  let browser: Browser;
  /** The scripts of the server, by path. */
  let scripts: ReadonlyMap<string | undefined, string>;

  beforeAll(async () => {
    scripts = await pageScripts("page", "page-worker");
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Opens the page that the agent's server serves, over a connection that the test can cut. */
  async function open(): Promise<{ tab: Tab; cable: Cable }> {
    const server = await serveHttp(everythingAgent(), {
      fallback: (request, response) => {
        const script = scripts.get(request.url);
        response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript");
        response.end(script ?? pageHtml);
      },
    });
    const cable = await Cable.to(server.port);
    const tab = await browser.newPage();
    onTestFinished(async () => {
      await tab.close();
      await cable[Symbol.asyncDispose]();
      await server.close();
    });
    await tab.goto(`http://127.0.0.1:${cable.port}/`);
    return { tab, cable };
  }

  const said = (tab: Tab): Promise<string> => tab.evaluate(() => page.texts.join(""));

  it.each(profiles)("streams updates and prompts the user for permission, over %s", async (profile) => {
    const { tab } = await open();
    const questions: string[] = [];
    tab.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    expect(await tab.evaluate((profile) => page.connect(profile), profile)).toBe("everything-agent");
    expect(await tab.evaluate(() => page.prompt("/stream"))).toBe("end_turn");
    expect(await tab.evaluate(() => page.texts.length)).toBeGreaterThan(5);
    expect(await tab.evaluate(() => page.prompt("/permission"))).toBe("end_turn");
    expect(questions).toEqual(["May it?"]);
    expect(await said(tab)).toContain("allow_once");
    expect(await tab.evaluate(() => page.prompt("/big 2000"))).toBe("end_turn");
  });

  it.each(profiles)("runs the client in a web worker over %s", async (profile) => {
    const { tab } = await open();
    const outcome = await tab.evaluate(
      (profile) =>
        new Promise((resolve) => {
          const worker = new Worker("/page-worker.js");
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage({ profile, token: "none", url: new URL("/acp", location.href).href });
        }),
      profile,
    );
    expect(outcome).toMatchObject({
      agent: "everything-agent",
      stopReasons: ["end_turn", "end_turn", "end_turn", "cancelled"],
      replayed: expect.toSatisfy((count: number) => count > 20),
    });
  });

  it("continues the turn after ten seconds offline over streamable HTTP, without losing an update", async () => {
    const { tab, cable } = await open();
    await tab.evaluate(() => page.connect("streamable HTTP"));
    await tab.evaluate(() => page.begin("/slow 12"));
    cable.cut();
    await new Promise((resolve) => setTimeout(resolve, OFFLINE_MS));
    cable.repair();
    expect(await tab.evaluate(() => page.end())).toBe("end_turn");
    expect(await tab.evaluate(() => page.titles)).toEqual(
      Array.from({ length: SECONDS }, (_, n) => `Take my time: ${n + 1} of ${SECONDS} s`),
    );
  });

  it("rejects the turn after ten seconds offline over WebSocket, and continues the session on a new connection", async () => {
    const { tab, cable } = await open();
    await tab.evaluate(() => page.connect("WebSocket"));
    await tab.evaluate(() => page.begin("/slow 60"));
    cable.cut();
    expect(await tab.evaluate(() => page.end())).toBe("ConnectionError");
    await new Promise((resolve) => setTimeout(resolve, OFFLINE_MS));
    cable.repair();
    expect(await tab.evaluate(() => page.prompt("/echo on"))).toBe("end_turn");
    expect(await said(tab)).toContain("on");
  });
});
