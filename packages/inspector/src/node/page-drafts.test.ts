// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChatPane } from "../../page/chat/chat-pane.js";
import { PromptQueue } from "../../page/model/prompt-queue.js";
import { ServerLink } from "../../page/model/server-link.js";
import { WireStore } from "../../page/model/wire-store.js";
import { InspectedContext } from "../../page/parts/context.js";

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("There is no server.")));
});
afterEach(() => vi.unstubAllGlobals());

const message = (from: "client" | "agent", members: object): string =>
  JSON.stringify({ t: 0, kind: "message", from, message: { jsonrpc: "2.0", ...members } });
const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const form = { mode: "form", sessionId: "s", message: "Who?", requestedSchema };

/** Renders the conversation of a connected page, with an open form of the agent. */
async function page(): Promise<HTMLElement> {
  const socket = Object.assign(new EventTarget(), { send: () => {} });
  vi.stubGlobal("WebSocket", function open() {
    return socket;
  });
  const store = new WireStore();
  const link = new ServerLink(store, "token");
  const prompts = new PromptQueue(store, link);
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  await act(async () => {
    root.render(createElement(InspectedContext, { value: { store, link, prompts } }, createElement(ChatPane, pane)));
  });
  const processed = new Promise<void>((resolve) => {
    const stop = store.signal.subscribe(() => {
      if (store.length < 3 || store.waiting > 0) return;
      stop();
      resolve();
    });
  });
  await act(async () => {
    link.connect();
    socket.dispatchEvent(new Event("open"));
    const receive = (data: string): void => void socket.dispatchEvent(new MessageEvent("message", { data }));
    receive(
      JSON.stringify({ is: "hello", header: "{}", count: 3, mode: "agent", status: { is: "running" }, cwd: "/" }),
    );
    const entries = [
      message("client", { id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
      message("agent", { id: 1, result: { sessionId: "s" } }),
      message("agent", { id: 2, method: "elicitation/create", params: form }),
    ];
    receive(`${JSON.stringify({ is: "entries", from: 0 })}\n${entries.join("\n")}\n`);
    await processed;
  });
  return container;
}

const pane = { moment: undefined, onTravel: () => {} };

it("keeps the drafts of a tab while another tab is shown", async () => {
  const container = await page();
  const field = (selector: string) => container.querySelector(selector) as HTMLInputElement | HTMLTextAreaElement;
  const write = (selector: string, text: string) =>
    act(async () => {
      const element = field(selector);
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")?.set?.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
  const show = (name: string) =>
    act(async () => [...container.querySelectorAll("button")].find((each) => each.textContent === name)?.click());
  const isShown = (selector: string): boolean => field(selector).closest("[hidden]") === null;
  const [prompt, name, raw, folder] = [".acp-composer textarea", ".acp-form input", "#raw-text", "#cwd"];
  expect([raw, folder].map(field)).toEqual([null, null]);
  await write(prompt, "a long prompt");
  await write(name, "Ann");
  await show("Raw");
  expect(isShown(prompt)).toBe(false);
  await write(raw, "{}");
  await show("Sessions");
  await write(folder, "/work");
  expect([prompt, raw, folder].map(isShown)).toEqual([false, false, true]);
  await show("Raw");
  expect([field(raw).value, isShown(raw)]).toEqual(["{}", true]);
  await show("Chat");
  expect([prompt, name, raw].map(isShown)).toEqual([true, true, false]);
  expect([prompt, name, folder].map((selector) => field(selector).value)).toEqual(["a long prompt", "Ann", "/work"]);
});
