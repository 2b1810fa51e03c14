import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PromptQueue } from "../../page/model/prompt-queue.js";
import { ServerLink } from "../../page/model/server-link.js";
import { WireStore } from "../../page/model/wire-store.js";
import type { PageCommand } from "./page/protocol.js";

beforeEach(() => {
  vi.stubGlobal("location", { host: "localhost" });
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 0));
});
afterEach(() => vi.unstubAllGlobals());

const message = (from: "client" | "agent", members: object): string =>
  JSON.stringify({ t: 0, kind: "message", from, message: { jsonrpc: "2.0", ...members } });
const opened = (sessionId: string): string[] => [
  message("client", { id: sessionId, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
  message("agent", { id: sessionId, result: { sessionId } }),
];
const prompted = (id: number, sessionId = "s"): string =>
  message("client", { id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "…" }] } });
const ended = (id: number): string => message("agent", { id, result: { stopReason: "end_turn" } });
const text = (content: string) => [{ type: "text", text: content }] as const;

/** A page that is connected to an inspector, whose messages the test sends. */
function connectedPage() {
  const sent: PageCommand[] = [];
  const socket = Object.assign(new EventTarget(), { send: (data: string) => void sent.push(JSON.parse(data)) });
  vi.stubGlobal("WebSocket", function open() {
    return socket;
  });
  const store = new WireStore();
  const link = new ServerLink(store, "token");
  const prompts = new PromptQueue(store, link);
  link.connect();
  socket.dispatchEvent(new Event("open"));
  const receive = (data: string): void => void socket.dispatchEvent(new MessageEvent("message", { data }));
  return {
    store,
    prompts,
    hello: (count: number): void =>
      receive(JSON.stringify({ is: "hello", header: "{}", count, mode: "agent", status: { is: "running" } })),
    /** Receives entries, and waits until the page has processed them. */
    async entries(...lines: readonly string[]): Promise<void> {
      const processed = new Promise<void>((resolve) => {
        const stop = store.signal.subscribe(() => {
          if (store.waiting > 0) return;
          stop();
          resolve();
        });
      });
      receive(`${JSON.stringify({ is: "entries", from: store.length })}\n${lines.join("\n")}\n`);
      await processed;
    },
    sentTexts: (): string[] =>
      sent.flatMap((command) =>
        command.do === "request" ? Object(command.params).prompt.map((block: { text: string }) => block.text) : [],
      ),
  };
}

it("sends a prompt at once, and the next one after the turn, although the turn ends before the page draws", async () => {
  const page = connectedPage();
  page.hello(0);
  await page.entries(...opened("s"));
  for (const content of ["one", "two", "three"]) page.prompts.add("s", text(content));
  expect(page.sentTexts()).toEqual(["one"]);
  await page.entries(prompted(1), ended(1));
  expect(page.sentTexts()).toEqual(["one", "two"]);
  await page.entries(prompted(2));
  expect(page.sentTexts()).toEqual(["one", "two"]);
  await page.entries(ended(2));
  expect(page.sentTexts()).toEqual(["one", "two", "three"]);
  expect(page.prompts.queued).toEqual([]);
});

it("sends the prompts of each session, and removes a prompt", async () => {
  const page = connectedPage();
  page.hello(0);
  await page.entries(...opened("s"), ...opened("other"), prompted(1), prompted(2, "other"));
  page.prompts.add("s", text("one"));
  page.prompts.add("other", text("two"));
  page.prompts.add("s", text("three"));
  const last = page.prompts.queued.at(-1);
  if (last !== undefined) page.prompts.remove(last);
  await page.entries(ended(2));
  expect(page.sentTexts()).toEqual(["two"]);
  await page.entries(ended(1));
  expect(page.sentTexts()).toEqual(["two", "one"]);
  await page.entries(prompted(3), ended(3));
  expect(page.sentTexts()).toEqual(["two", "one"]);
});

it("sends nothing while the page receives the recording again", async () => {
  const page = connectedPage();
  page.hello(0);
  await page.entries(...opened("s"), prompted(1));
  page.prompts.add("s", text("one"));
  page.hello(5);
  await page.entries(...opened("s")); // the running turn follows
  expect(page.sentTexts()).toEqual([]);
  await page.entries(prompted(1), message("agent", { method: "other" }), message("agent", { method: "other" }));
  expect(page.sentTexts()).toEqual([]);
  await page.entries(ended(1));
  expect(page.sentTexts()).toEqual(["one"]);
});

it("sends prompts after the agent was started again, although it did not receive the last prompt", async () => {
  const page = connectedPage();
  page.hello(0);
  await page.entries(...opened("s"));
  page.prompts.add("s", text("lost"));
  await page.entries(JSON.stringify({ t: 0, kind: "process", event: "started" }));
  await page.entries(
    message("client", { id: 9, method: "session/load", params: { sessionId: "s", cwd: "/", mcpServers: [] } }),
    message("agent", { id: 9, result: {} }),
  );
  page.prompts.add("s", text("again"));
  expect(page.sentTexts()).toEqual(["lost", "again"]);
});
