import { afterEach, expect, it, vi } from "vitest";
import { ServerLink } from "../../page/model/server-link.js";
import { WireStore } from "../../page/model/wire-store.js";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a check rejects without a connection, or if the connection is lost", async () => {
  vi.useFakeTimers();
  const socket = Object.assign(new EventTarget(), { send: vi.fn() });
  vi.stubGlobal("location", { host: "localhost" });
  vi.stubGlobal("WebSocket", function open() {
    return socket;
  });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const link = new ServerLink(new WireStore(), "token");
  await expect(link.check({})).rejects.toThrow("not connected");
  link.connect();
  socket.dispatchEvent(new Event("open"));
  const lost = link.check({});
  expect(socket.send).toHaveBeenCalledOnce();
  socket.dispatchEvent(new Event("close"));
  await expect(lost).rejects.toThrow("not connected");
});
