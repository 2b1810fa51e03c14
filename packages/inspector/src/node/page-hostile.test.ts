import { type Recording, type RecordingEntry, readRecording } from "@acp-kit/testing/recording";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBrowserReason, openPage } from "../../test/browser.js";
import { ansiBomb, disguisedTitles, hugePng } from "../../test/hostile.js";
import { pageTests } from "../../test/page-actions.js";
import { inspectRecording } from "./index.js";

const tests = pageTests("hostile images, terminals and titles in a real browser");

const BOMB_BYTES = 5_000_000;

/** A turn in which the agent sends these updates, and the client's terminal prints this output. */
function turn(updates: readonly object[], output: string): Recording {
  const message = (from: "client" | "agent", members: object): RecordingEntry => ({
    t: 0,
    kind: "message",
    from,
    message: { jsonrpc: "2.0", ...members },
  });
  const entries = [
    message("client", { id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
    message("agent", { id: 1, result: { sessionId: "s" } }),
    message("client", {
      id: 2,
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text: "Go" }] },
    }),
    message("agent", { id: "t", method: "terminal/create", params: { sessionId: "s", command: "bomb" } }),
    message("client", { id: "t", result: { terminalId: "t1" } }),
    ...updates.map((update) => message("agent", { method: "session/update", params: { sessionId: "s", update } })),
    message("agent", { id: "o", method: "terminal/output", params: { sessionId: "s", terminalId: "t1" } }),
    message("client", { id: "o", result: { output, truncated: false } }),
    message("agent", { id: 2, result: { stopReason: "end_turn" } }),
  ];
  return readRecording(entries.map((entry) => JSON.stringify(entry)).join("\n"));
}

describe.skipIf(noBrowserReason !== undefined)("hostile.inspector: a page stays inert and can be used with", () => {
  it("an image that claims to be huge, an ANSI bomb, and titles that change the direction of text", async () => {
    const image = { type: "image", mimeType: "image/png", data: hugePng() };
    const calls = disguisedTitles.map((title, index) => ({
      sessionUpdate: "tool_call",
      toolCallId: `c${index}`,
      title,
      status: "in_progress",
      content: [
        { type: "terminal", terminalId: "t1" },
        { type: "content", content: image },
      ],
    }));
    const updates = [{ sessionUpdate: "agent_message_chunk", content: image }, ...calls];
    const inspector = await inspectRecording(turn(updates, ansiBomb(BOMB_BYTES)));
    onTestFinished(() => inspector.close());
    const { page, wrong } = await openPage(tests.browser(), inspector.url);
    await page.locator(".row", { hasText: "end_turn" }).waitFor();
    await page.locator(".acp-terminal span").first().waitFor();
    const state = await page.evaluate(() => ({
      images: document.querySelectorAll("img").length,
      title: document.title,
      text: document.body.textContent ?? "",
      pieces: Math.max(...[...document.querySelectorAll(".acp-terminal")].map((each) => each.childElementCount)),
    }));
    expect(state.images).toBe(0);
    expect(state.text).toContain("🖼 image/png (not shown)");
    expect(state.pieces).toBeLessThanOrEqual(5_001);
    expect(state.text).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the text contains control characters on purpose
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
    expect(state.text).toContain("Delete \ufffdtxt.sdrowssap");
    expect(state.text).toContain("a b c d e");
    expect(state.title).not.toBe("title");
    await page.locator(".row", { hasText: "terminal/output" }).last().click();
    await page.locator(".detail pre").waitFor();
    await page.fill("#search", "bomb");
    await page.locator("#count", { hasText: " of " }).waitFor();
    expect(wrong).toEqual([]);
  });
});
