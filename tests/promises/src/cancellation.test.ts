import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { isNotification, isRequest, isResponse, says, stopReason } from "./harness/wire.js";

describe.each(transports)("over %s", (kind) => {
  it("turn.cancel-before-start: a cancelled prompt in the client's queue is never sent", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const first = session.prompt("hold first");
    const second = session.prompt("say second");
    const aborted = session.prompt("say third", { signal: AbortSignal.abort() });
    await expect(aborted.result).resolves.toEqual({ stopReason: "cancelled" });
    second.cancel();
    await expect(second.result).resolves.toEqual({ stopReason: "cancelled" });
    for await (const _ of second) expect.unreachable("it had no updates");
    await pair.wire.until(says("holding"));
    pair.release("first");
    await expect(first.result).resolves.toEqual({ stopReason: "end_turn" });
    expect(pair.wire.items.filter(isRequest("session/prompt"))).toHaveLength(1);
    expect(pair.wire.items.filter(isNotification("session/cancel"))).toEqual([]);
  });

  it("turn.cancel-before-start: CANCEL-06 a cancelled prompt in the agent's queue gets its response without a call of its handler", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const first = peer.request("session/prompt", promptOf("wait"));
    const second = peer.request("session/prompt", promptOf("say second"));
    peer.notify("session/cancel", { sessionId: "session-1" });
    expect(stopReason(await first)).toBe("cancelled");
    expect(stopReason(await second)).toBe("cancelled");
    expect(peer.received.items.some(says("second"))).toBe(false);
  });

  it("turn.cancel-before-start: CANCEL-18 CANCEL-21 $/cancel_request removes one queued prompt, by its exact id", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const first = peer.request("session/prompt", promptOf("hold first"), 41);
    const second = peer.request("session/prompt", promptOf("say second"), 42);
    peer.notify("$/cancel_request", { requestId: "42" }); // This id is of another type.
    peer.notify("$/cancel_request", { requestId: 42 });
    expect(stopReason(await second)).toBe("cancelled");
    peer.notify("_test/release", { name: "first" });
    expect(stopReason(await first)).toBe("end_turn");
  });

  it("turn.cancel-after-response: CANCEL-11 CANCEL-12 CANCEL-13 a cancel after the response affects neither that turn nor the next one", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    expect(stopReason(await peer.request("session/prompt", promptOf("say one")))).toBe("end_turn");
    peer.notify("session/cancel", { sessionId: "session-1" });
    peer.notify("session/cancel", { sessionId: "session-1" });
    expect(stopReason(await peer.request("session/prompt", promptOf("say two")))).toBe("end_turn");
  });

  it("turn.cancel-after-response: cancelling a finished turn sends nothing", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("say one");
    await turn.result;
    turn.cancel();
    session.cancel();
    await pair.client.logout(); // A request whose response shows that the agent has handled everything before.
    expect(pair.wire.items.filter(isNotification("session/cancel"))).toEqual([]);
    await expect(session.prompt("say two").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("turn.cancel-twice: CANCEL-02 two calls of cancel cause one notification, one abort and one response", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const controller = new AbortController();
    const turn = session.prompt("wait", { signal: controller.signal });
    await pair.wire.until(says("waiting"));
    turn.cancel();
    turn.cancel();
    session.cancel();
    controller.abort();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    expect(pair.wire.items.filter(isNotification("session/cancel"))).toHaveLength(1);
    expect(pair.saw.items.filter((what) => what === "abort wait")).toHaveLength(1);
  });

  it("turn.cancel-twice: the agent ignores a second cancel", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const answer = peer.request("session/prompt", promptOf("wait"), "p");
    await peer.received.until(says("waiting"));
    peer.together(() => {
      peer.notify("session/cancel", { sessionId: "session-1" });
      peer.notify("session/cancel", { sessionId: "session-1" });
      peer.notify("$/cancel_request", { requestId: "p" });
    });
    expect(stopReason(await answer)).toBe("cancelled");
    await peer.fence();
    expect(peer.received.items.filter((message) => isResponse(message) && message.id === "p")).toHaveLength(1);
  });

  it("turn.cancel-unknown-session: CANCEL-11 RPC-05 a cancel of an unknown session gets no response and has no effect", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const before = peer.received.items.length;
    peer.notify("session/cancel", { sessionId: "nobody" });
    peer.notify("session/cancel", { sessionId: 7 });
    peer.notify("session/cancel");
    await peer.fence();
    expect(peer.received.items.slice(before).filter(isResponse)).toHaveLength(1); // The response of the fence request.
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
  });

  it("turn.cancel-unknown-session: CANCEL-10 cancelling one session does not affect the others", async () => {
    await using pair = await connect(kind);
    const [one, two] = await Promise.all([
      pair.client.newSession({ cwd: "/a" }),
      pair.client.newSession({ cwd: "/b" }),
    ]);
    const first = one.prompt("hold one");
    const second = two.prompt("hold two");
    await pair.wire.count(2, says("holding"));
    first.cancel();
    await expect(first.result).resolves.toEqual({ stopReason: "cancelled" });
    pair.release("two");
    await expect(second.result).resolves.toEqual({ stopReason: "end_turn" });
  });
});
