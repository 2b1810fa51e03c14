import { describe, expect, it, vi } from "vitest";
import { manual } from "../test/connect.js";
import { gate, turn } from "../test/settle.js";
import type { RequestContext } from "./index.js";

describe("after a request handler's response", () => {
  it.each(["at once", "later"])("is done when the response has been sent, in order (%s)", async (when) => {
    const { connection, transport } = manual();
    const go = gate();
    const seen: unknown[] = [];
    connection.onRequest("m", async (_, { afterResponse }) => {
      afterResponse(() => seen.push(["first", transport.responses.length]));
      afterResponse(() => seen.push(["second", transport.responses.length]));
      if (when === "later") await go.promise;
      return {};
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(seen).toEqual([]);
    go.open();
    await turn();
    expect(seen).toEqual([
      ["first", 1],
      ["second", 1],
    ]);
  });

  it("may send: such a message follows the response", () => {
    const { connection, transport } = manual();
    connection.onRequest("m", (_, { afterResponse }) => {
      afterResponse(() => void connection.notify("then"));
      return {};
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(transport.sent).toMatchObject([{ id: 1, result: {} }, { method: "then" }]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["returns what can't be serialized", () => ({ n: 1n })],
  ])("is not done when the handler %s", (_, result) => {
    const { connection, transport } = manual();
    const action = vi.fn();
    connection.onRequest("m", (_params, { afterResponse }) => {
      afterResponse(action);
      return result();
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(transport.sent).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(action).not.toHaveBeenCalled();
  });

  it("is reported when it fails, and does not keep other actions from running", () => {
    const { connection, transport, diagnostics } = manual();
    const cause = new Error("too late");
    const action = vi.fn();
    connection.onRequest("m", (_, { afterResponse }) => {
      afterResponse(() => {
        throw cause;
      });
      afterResponse(action);
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(diagnostics).toMatchObject([{ code: "hook_failed", message: "afterResponse failed", cause }]);
    expect(action).toHaveBeenCalledTimes(1);
  });
});

it("a signal is created when a handler first reads it, and stays the same", () => {
  const { connection, transport } = manual();
  const contexts: RequestContext[] = [];
  connection.onRequest("m", (_, context) => {
    contexts.push(context);
    return new Promise(() => {});
  });
  connection.listen();
  const made = vi.spyOn(globalThis, "AbortController");
  try {
    transport.deliver({ id: 1, method: "m" }, { id: 2, method: "m" });
    expect(made).not.toHaveBeenCalled();
    const [first] = contexts;
    expect(first?.signal).toBe(first?.signal);
    expect(made).toHaveBeenCalledTimes(1);
  } finally {
    made.mockRestore();
  }
});
