import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { answerTo, isRequest, isResponse, isUpdate, says, stopReason } from "./harness/wire.js";

describe.each(transports)("over %s", (kind) => {
  it("turn.one-stop-reason: PROMPT-07 PROMPT-08 each prompt has one response, with the stop reason of the handler", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    for (const reason of ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]) {
      expect(await session.prompt(`stop ${reason}`).result).toEqual({ stopReason: reason });
    }
    const prompts = pair.wire.items.filter(isRequest("session/prompt"));
    for (const { id } of prompts) {
      expect(pair.wire.items.filter((message) => isResponse(message) && message.id === id)).toHaveLength(1);
    }
  });

  it("turn.errors-are-errors: PROMPT-18 ERR-03 a failed turn rejects with the agent's error, and the session continues", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    await expect(session.prompt("refuse 1234").result).rejects.toMatchObject({
      name: "RpcError",
      code: 1234,
      message: "The model is on holiday",
      data: { until: "Monday" },
    });
    await expect(session.prompt("say hello").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("turn.reading-a-failed-one-throws: reading a failed turn throws the error of its result after the last update", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt("refuse 1234");
    const read = (async () => {
      // Over streamable HTTP, messages right after the response to session/new may arrive here.
      for await (const _ of turn);
    })();
    const error = await turn.result.catch((error: unknown) => error);
    await expect(read).rejects.toBe(error);
    await expect(session.prompt("refuse 1234").text()).rejects.toMatchObject({ code: 1234 });
    expect(await session.prompt("say hello").text()).toBe("hello");
  });

  it("turn.queue: PROMPT-14 overlapping prompts run one after the other, each to its end", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const answered: string[] = [];
    const prompts = ["hold first", "say second", "say third"].map((text) =>
      peer.request("session/prompt", promptOf(text)).then((response) => {
        answered.push(`${text} ${stopReason(response)}`);
      }),
    );
    await peer.received.until(says("holding"));
    await peer.fence();
    expect(answered).toEqual([]);
    peer.notify("_test/release", { name: "first" });
    await Promise.all(prompts);
    expect(answered).toEqual(["hold first end_turn", "say second end_turn", "say third end_turn"]);
    const texts = peer.received.items.filter(isUpdate("agent_message_chunk")).map(({ params }) => params?.update);
    expect(texts).toMatchObject(["holding", "released", "second", "third"].map((text) => ({ content: { text } })));
  });

  it("turn.queue: a client sends the next prompt only after the previous turn has ended", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const first = session.prompt("hold first");
    const second = session.prompt("say second");
    await pair.wire.until(says("holding"));
    expect(pair.wire.items.filter(isRequest("session/prompt"))).toHaveLength(1);
    pair.release("first");
    await second.result;
    const response = pair.wire.index((message) => message === answerTo(pair.wire.items, "session/prompt", 1));
    expect(pair.wire.index(isRequest("session/prompt"), 2)).toBeGreaterThan(response);
    await expect(first.result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("turn.reject: PROMPT-14 with the option `reject`, a second prompt is refused, and the first turn continues", async () => {
    await using client = await rawClientWithSession(kind, { concurrentPrompts: "reject" });
    const { peer } = client;
    const first = peer.request("session/prompt", promptOf("hold first"));
    const second = await peer.request("session/prompt", promptOf("say second"));
    expect(second.error).toMatchObject({ code: -32600, data: { sessionId: "session-1" } });
    peer.notify("_test/release", { name: "first" });
    expect(stopReason(await first)).toBe("end_turn");
    expect(stopReason(await peer.request("session/prompt", promptOf("say third")))).toBe("end_turn");
  });

  it("turn.merge: PROMPT-14 with the option `merge`, a second prompt joins the running turn and gets the same response", async () => {
    await using client = await rawClientWithSession(kind, { concurrentPrompts: "merge" });
    const { peer } = client;
    const answers = ["steer", "left", "stop"].map((text) => peer.request("session/prompt", promptOf(text)));
    expect((await Promise.all(answers)).map(stopReason)).toEqual(["end_turn", "end_turn", "end_turn"]);
    expect(peer.received.items.some(says("steered by left"))).toBe(true);
    expect(stopReason(await peer.request("session/prompt", promptOf("say after")))).toBe("end_turn");
  });
});
