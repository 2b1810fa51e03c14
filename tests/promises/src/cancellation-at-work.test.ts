import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import {
  answerTo,
  isNotification,
  isRequest,
  isResponse,
  isUpdate,
  says,
  stopReason,
  type WireMessage,
} from "./harness/wire.js";

describe.each(transports)("over %s", (kind) => {
  it("turn.cancel-while-running: CANCEL-06 CANCEL-08 CANCEL-09 the last updates come before the response, whatever the handler returns", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    await pair.wire.count(2, isUpdate()); // those of the creation, which have no order over streamable HTTP
    const turn = session.prompt("wait");
    const received: unknown[] = [];
    for await (const update of turn) {
      received.push([update.sessionUpdate, (update as { status?: string }).status]);
      if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
    }
    expect(received).toEqual([
      ["tool_call", undefined],
      ["agent_message_chunk", undefined],
      ["agent_message_chunk", undefined],
      ["tool_call_update", "failed"],
    ]);
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    const response = pair.wire.index((message) => message === answerTo(pair.wire.items, "session/prompt", 1));
    expect(pair.wire.items.slice(response).filter(isUpdate())).toEqual([]);
  });

  it("turn.cancel-while-running: CANCEL-07 a turn whose handler throws the abort reason ends as cancelled, not with an error", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("abort");
    await pair.wire.until(says("waiting"));
    turn.cancel();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    await expect(session.prompt("throw").result).resolves.toEqual({ stopReason: "cancelled" });
  });

  it("turn.cancel-while-running: CANCEL-24 $/cancel_request for the prompt cancels the turn, too", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const answer = peer.request("session/prompt", promptOf("wait"), "p");
    await peer.received.until(says("waiting"));
    peer.notify("$/cancel_request", { requestId: "p" });
    expect(stopReason(await answer)).toBe("cancelled");
  });

  it("turn.cancel-during-permission: CANCEL-04 PERM-06 PERM-10 every open permission request gets the response cancelled, and the turn ends as cancelled", async () => {
    const open: AbortSignal[] = [];
    await using pair = await connect(kind, {
      permissions: (_request, { signal }) => {
        open.push(signal);
        return new Promise(() => {});
      },
    });
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("ask 2");
    await pair.wire.count(2, isRequest("session/request_permission"));
    turn.cancel();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    expect(open.map(({ aborted }) => aborted)).toEqual([true, true]);
    const cancel = pair.wire.index(isNotification("session/cancel"));
    for (const { id } of pair.wire.items.filter(isRequest("session/request_permission"))) {
      const answers = pair.wire.items.filter(
        (message) => message.from === "client" && message.id === id && isResponse(message),
      );
      expect(answers.map(({ result }) => result)).toEqual([{ outcome: { outcome: "cancelled" } }]);
      expect(pair.wire.items.indexOf(answers[0] as WireMessage)).toBeGreaterThan(cancel);
    }
  });

  it("turn.cancel-during-permission: CANCEL-04 a permission request after the cancel gets the response cancelled without a prompt to the user", async () => {
    let asked = 0;
    await using agent = await connectRaw(kind, {
      permissions: async () => {
        asked += 1;
        return "allow_once";
      },
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    const prompt = await agent.peer.next("session/prompt");
    turn.cancel();
    await agent.peer.next("session/cancel");
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const params = { sessionId: "s1", toolCall: { toolCallId: "t" }, options };
    const { result } = await agent.peer.request("session/request_permission", params);
    expect(result).toEqual({ outcome: { outcome: "cancelled" } });
    agent.peer.respond(prompt, { stopReason: "cancelled" });
    await turn.result;
    expect(asked).toBe(0);
  });

  it("turn.cancel-during-client-call: CANCEL-14 a file read is cancelled, and the turn ends as cancelled", async () => {
    const signals: AbortSignal[] = [];
    await using pair = await connect(kind, {
      files: {
        readTextFile: (_params, { signal }) =>
          new Promise((_resolve, reject) => {
            signals.push(signal);
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          }),
      },
    });
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("read /work/a.ts");
    await pair.wire.until(isRequest("fs/read_text_file"));
    turn.cancel();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const answer = await pair.wire.answer("fs/read_text_file");
    expect(answer.error?.code).toBe(-32800);
  });

  it("turn.cancel-during-client-call: TERM-13 CANCEL-25 a wait for a command is cancelled, and the terminal is released", async () => {
    const called: string[] = [];
    await using pair = await connect(kind, {
      terminals: {
        createTerminal: () => ({ terminalId: "t1" }),
        terminalOutput: () => ({ output: "", truncated: false }),
        waitForTerminalExit: (_params, { signal }) =>
          new Promise((_resolve, reject) => {
            called.push("wait");
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          }),
        killTerminal: () => void called.push("kill"),
        releaseTerminal: () => void called.push("release"),
      },
    });
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("run sleep");
    await pair.wire.until(isRequest("terminal/wait_for_exit"));
    turn.cancel();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    expect(called).toEqual(["wait", "release"]);
  });

  it("turn.cancel-during-client-call: a client that never responds to the call does not block the turn", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const answer = peer.request("session/prompt", promptOf("read /work/a.ts"));
    const { id } = await peer.next("fs/read_text_file");
    peer.notify("session/cancel", { sessionId: "session-1" });
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: id });
    expect(stopReason(await answer)).toBe("cancelled");
  });

  it("turn.cancel-ignored: if a handler ignores its signal, the agent ends the turn without the handler, and the session continues", async () => {
    await using pair = await connect(kind, {}, { cancelGraceMs: 20 });
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("ignore");
    await pair.wire.until(says("waiting"));
    turn.cancel();
    await expect(turn.result).resolves.toEqual({ stopReason: "cancelled" });
    await pair.saw.until((what) => what === "diagnostic cancel_ignored");
    await expect(session.prompt("say hello").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("turn.closing-cancels: SESS-27 closing a session first ends its running turn and everything pending in that turn", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const running = session.prompt("wait");
    const waiting = session.prompt("say never");
    await pair.wire.until(says("waiting"));
    await session.close();
    await expect(running.result).resolves.toEqual({ stopReason: "cancelled" });
    await expect(waiting.result).resolves.toEqual({ stopReason: "cancelled" });
    await expect(session.prompt("say more").result).rejects.toThrow(TypeError);
    const { items } = pair.wire;
    const prompted = pair.wire.index((message) => message === answerTo(items, "session/prompt", 1));
    expect(pair.wire.index((message) => message === answerTo(items, "session/close", 1))).toBeGreaterThan(prompted);
  });

  it("turn.closing-cancels: SESS-27 SESS-30 SESS-31 closing a session ends its turn even if the client does not cancel the turn; later requests for the session get the error not found", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const order: string[] = [];
    const prompt = peer.request("session/prompt", promptOf("wait")).then((response) => {
      order.push(`prompt ${stopReason(response)}`);
    });
    await peer.received.until(says("waiting"));
    const close = peer.request("session/close", { sessionId: "session-1" }).then(({ result }) => {
      order.push(`close ${JSON.stringify(result)}`);
    });
    await Promise.all([prompt, close]);
    expect(order).toEqual(["prompt cancelled", "close {}"]);
    const { error } = await peer.request("session/prompt", promptOf("say more"));
    expect(error).toMatchObject({ code: -32002, data: { sessionId: "session-1" } });
  });
});
