import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { manual } from "../test/connect.js";
import { gate, turn, watch } from "../test/settle.js";
import { CANCEL_REQUEST } from "./internal.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("a request without a response rejects at its deadline, and the peer gets a cancel request", async () => {
  const { connection, transport, diagnostics } = manual();
  connection.listen();
  const request = watch(connection.request("m", {}, { timeoutMs: 300 }));
  vi.advanceTimersByTime(299);
  await turn();
  expect(request.state()).toBe("pending");
  vi.advanceTimersByTime(1);
  await turn();
  expect(request.state()).toMatchObject({
    error: { name: "ConnectionError", code: "timeout", method: "m", message: "m: no response within 300 ms" },
  });
  expect(transport.sent.at(-1)).toEqual({ jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: 1 } });
  transport.deliver({ id: 1, result: "late" });
  expect(diagnostics).toMatchObject([{ code: "late_response", id: 1 }]);
  expect(connection.state).toBe("open");
});

it("a response in time ends the deadline and its timer", async () => {
  const { connection, transport } = manual();
  connection.listen();
  const request = connection.request("m", {}, { timeoutMs: 300 });
  transport.deliver({ id: 1, result: 1 });
  expect(vi.getTimerCount()).toBe(0);
  expect(await request).toBe(1);
  expect(transport.sent).toHaveLength(1);
});

it("the connection's deadline applies where a request has none, and 0 means none", async () => {
  const { connection } = manual({ requestTimeoutMs: 100 });
  const ordinary = watch(connection.request("m"));
  const patient = watch(connection.request("m", {}, { timeoutMs: 0 }));
  vi.advanceTimersByTime(100);
  await turn();
  expect(ordinary.state()).toMatchObject({ error: { code: "timeout" } });
  expect(patient.state()).toBe("pending");
});

it.each([Number.POSITIVE_INFINITY, 2 ** 31, Number.NaN])(
  "%d ms means no deadline, rather than one that passes immediately",
  async (timeoutMs) => {
    const { connection } = manual({ cancelTimeoutMs: timeoutMs });
    const request = watch(connection.request("m", {}, { timeoutMs }));
    vi.advanceTimersByTime(1_000_000);
    await turn();
    expect(request.state()).toBe("pending");
  },
);

it("the deadline applies too while the response waits behind a handler that doesn't finish", async () => {
  const { connection, transport } = manual();
  const stuck = gate();
  const decode = vi.fn();
  connection.onNotification("stuck", () => stuck.promise);
  connection.listen();
  const request = watch(connection.request("m", {}, { timeoutMs: 300, decode }));
  transport.deliver({ method: "stuck" }, { id: 1, result: "waiting" });
  vi.advanceTimersByTime(300);
  await turn();
  const message = "m: the response waits for a handler that did not finish within 300 ms";
  expect(request.state()).toMatchObject({ error: { code: "timeout", message } });
  expect(transport.sent).toHaveLength(1); // it has responded: there is nothing to cancel
  stuck.open();
  await turn();
  expect(decode).not.toHaveBeenCalled();
});

it("a deadline that passes after the caller has cancelled rejects, and the peer gets one cancel request", async () => {
  const { connection, transport } = manual({ cancelTimeoutMs: 1_000 });
  const controller = new AbortController();
  const request = watch(connection.request("m", {}, { timeoutMs: 300, signal: controller.signal }));
  controller.abort();
  vi.advanceTimersByTime(300);
  await turn();
  expect(request.state()).toMatchObject({ error: { code: "timeout" } });
  expect(transport.sent.filter(({ method }) => method === CANCEL_REQUEST)).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("a request that could not be sent leaves no timer", async () => {
  const { connection } = manual({ requestTimeoutMs: 100 });
  await expect(connection.request("m", { n: 1n })).rejects.toThrow(TypeError);
  expect(vi.getTimerCount()).toBe(0);
});

it("the end of the connection leaves no timer", async () => {
  const { connection, transport } = manual({ requestTimeoutMs: 100 });
  connection.listen();
  const controller = new AbortController();
  const requests = [connection.request("a"), connection.request("b", {}, { signal: controller.signal })];
  controller.abort();
  transport.fail(new Error("cable cut"));
  await connection.closed;
  await Promise.allSettled(requests);
  expect(vi.getTimerCount()).toBe(0);
});

it("requests that were sent in the same tick have one timer, and each rejects with an error of its own", async () => {
  const { connection, transport } = manual();
  connection.listen();
  const requests = ["a", "b", "c"].map((method) => watch(connection.request(method, {}, { timeoutMs: 300 })));
  expect(vi.getTimerCount()).toBe(1);
  transport.deliver({ id: 2, result: "in time" });
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(300);
  await turn();
  expect(requests.map((request) => request.state())).toMatchObject([
    { error: { code: "timeout", method: "a", message: "a: no response within 300 ms" } },
    { value: "in time" },
    { error: { code: "timeout", method: "c", message: "c: no response within 300 ms" } },
  ]);
  expect(transport.sent.slice(3)).toMatchObject([{ params: { requestId: 1 } }, { params: { requestId: 3 } }]);
  expect(vi.getTimerCount()).toBe(0);
});

it("a request that is sent while others time out gets its full time", async () => {
  const { connection, transport } = manual();
  connection.listen();
  const second: { state(): unknown }[] = [];
  transport.onSend = (message) => {
    if ("method" in message && message.method === CANCEL_REQUEST) {
      transport.onSend = () => {};
      second.push(watch(connection.request("again", {}, { timeoutMs: 300 })));
    }
  };
  const first = watch(connection.request("m", {}, { timeoutMs: 300 }));
  vi.advanceTimersByTime(300);
  await turn();
  expect(first.state()).toMatchObject({ error: { code: "timeout" } });
  vi.advanceTimersByTime(299);
  await turn();
  expect(second[0]?.state()).toBe("pending");
  vi.advanceTimersByTime(1);
  await turn();
  expect(second[0]?.state()).toMatchObject({ error: { code: "timeout", method: "again" } });
  expect(vi.getTimerCount()).toBe(0);
});

it("a request that is sent while another is being sent times out as that does", async () => {
  const { connection, transport } = manual();
  connection.listen();
  const requests: { state(): unknown }[] = [];
  transport.onSend = () => {
    transport.onSend = () => {};
    requests.push(watch(connection.request("inner", {}, { timeoutMs: 300 })));
  };
  requests.push(watch(connection.request("outer", {}, { timeoutMs: 300 })));
  vi.advanceTimersByTime(300);
  await turn();
  expect(requests.map((request) => request.state())).toMatchObject([
    { error: { code: "timeout", method: "inner" } },
    { error: { code: "timeout", method: "outer" } },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
