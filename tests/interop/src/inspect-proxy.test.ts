import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "sdk-2";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildCommandLine, isInspectorBuilt } from "./peers/build-command-line.js";
import { hasChromium, launchChromium } from "./peers/chromium.js";

if (!isInspectorBuilt)
  console.log("Not run: acp-kit inspect --proxy in a browser, because @acp-kit/inspector is not built.");
const canRun = hasChromium && isInspectorBuilt;

/** The start of the proxy and of a browser on a busy machine take time. */
const slowly = { timeout: 30_000 };

/** A stream of bytes, which are also collected. */
function collected(stream: ReadableStream<Uint8Array>, into: Uint8Array[]): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        into.push(chunk.slice());
        controller.enqueue(chunk);
      },
    }),
  );
}

describe.skipIf(!canRun)("acp-kit inspect --proxy", () => {
  let browser: Browser;
  let program: string;
  beforeAll(async () => {
    [browser, program] = await Promise.all([launchChromium(), buildCommandLine()]);
  });
  afterAll(() => browser?.close());

  it("shows the official SDK's client with its agent in the page, and changes no byte", {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-proxy-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const logging = fileURLToPath(new URL("peers/logging-agent.mjs", import.meta.url));
    const agent = [process.execPath, logging, folder, process.execPath, program, "demo-agent", "--pace", "0"];
    const proxy = spawn(process.execPath, [program, "inspect", "--proxy", "--", ...agent], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: folder },
    });
    onTestFinished(() => void proxy.kill());
    const exited = once(proxy, "exit");
    let stderr = "";
    proxy.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    await expect.poll(() => stderr, slowly).toMatch(/open http\S+\n/);
    const page = await browser.newPage();
    await page.goto(/http\S+/.exec(stderr)?.[0] ?? "");

    const [sent, received]: [Uint8Array[], Uint8Array[]] = [[], []];
    const outgoing = new TransformStream<Uint8Array, Uint8Array>();
    collected(outgoing.readable, sent)
      .pipeTo(Writable.toWeb(proxy.stdin) as WritableStream<Uint8Array>)
      .catch(() => {}); // the test ends the input itself
    const incoming = collected(Readable.toWeb(proxy.stdout) as ReadableStream<Uint8Array>, received);
    let text = "";
    const app = client({ name: "sdk-client" })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          text += update.content.text;
      })
      .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }));
    await app.connectWith(ndJsonStream(outgoing.writable, incoming), async (connection) => {
      const clientCapabilities = {};
      await connection.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
      const { sessionId } = await connection.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
      for (const words of ["/unicode", "/permission", "/echo spaces  and \u2028"]) {
        const prompt = [{ type: "text" as const, text: words }];
        const response = await connection.request(methods.agent.session.prompt, { sessionId, prompt });
        expect(response).toMatchObject({ stopReason: "end_turn" });
      }
      expect(text).toContain("it is allowed");
      await page.locator(".acp-user-message").nth(2).waitFor();
      await expect.poll(() => page.locator(".acp-agent-message").last().textContent(), slowly).toContain("spaces");
      await page.fill("#search", "session/request_permission");
      await page.locator(".row.request", { hasText: "session/request_permission" }).click();
      await page.locator(".detail pre", { hasText: '"optionId"' }).waitFor();
      expect(await page.locator(".badge").textContent()).toBe("watching");
      expect(await page.locator(".acp-composer").count()).toBe(0);
      expect(await page.locator(".acp-permission").count()).toBe(0);
    });
    proxy.stdin.end();
    expect((await exited)[0]).toBe(0);
    expect(Buffer.concat(sent).equals(readFileSync(join(folder, "received")))).toBe(true);
    expect(Buffer.concat(received).equals(readFileSync(join(folder, "sent")))).toBe(true);
    await page.close();
  });
});
