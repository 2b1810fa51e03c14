import { isConnectionError, RpcError } from "@acp-kit/protocol";
import type { SessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { type AgentPeer, chunk, type Script, scripted } from "../../test/scripted-agent.js";
import type { PromptTurn } from "./session.js";

const thought: SessionUpdate = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } };

/** An agent that sends these updates in its turn, and then responds. */
function plays(updates: readonly SessionUpdate[], respond: () => object = () => ({ stopReason: "end_turn" })) {
  return (peer: AgentPeer): void => {
    peer.handle("session/prompt", ({ sessionId }) => {
      for (const update of updates) void peer.notify("session/update", { sessionId, update });
      return respond() as { stopReason: "end_turn" };
    });
  };
}

async function prompted(script: Script): Promise<PromptTurn> {
  const { connection } = await scripted(script);
  const session = await connection.newSession({ cwd: "/" });
  return session.prompt("Go");
}

async function read(updates: AsyncIterable<unknown>): Promise<{ readonly seen: unknown[]; readonly error: unknown }> {
  const seen: unknown[] = [];
  try {
    for await (const update of updates) seen.push(update);
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: undefined };
}

const refuses = (): never => {
  throw new RpcError(-32603, "no model");
};

describe("the text of a turn", () => {
  test("text() resolves with the text of all messages, an empty line between two", async () => {
    const turn = await prompted({ agent: plays([chunk("I read"), chunk(" it."), thought, chunk("Done.")]) });
    expect(await turn.text()).toBe("I read it.\n\nDone.");
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test("textStream yields the pieces that the agent sent", async () => {
    const turn = await prompted({ agent: plays([chunk("a"), thought, chunk("b"), chunk(""), chunk("c")]) });
    expect((await read(turn.textStream)).seen).toEqual(["a", "\n\nb", "c"]);
  });

  test("a turn without text resolves with an empty text", async () => {
    expect(await (await prompted({ agent: plays([thought]) })).text()).toBe("");
  });

  test("text() rejects with the error of the turn", async () => {
    const turn = await prompted({ agent: plays([chunk("a")], refuses) });
    await expect(turn.text()).rejects.toMatchObject({ code: -32603, message: "no model" });
  });

  test("a cancelled turn has the text until then", async () => {
    const turn = await prompted({ agent: plays([chunk("half")], () => ({ stopReason: "cancelled" })) });
    expect(await turn.text()).toBe("half");
  });

  test("a prompt that can't be sent rejects with the reason", async () => {
    const { connection } = await scripted({});
    const session = await connection.newSession({ cwd: "/" });
    const image = { type: "image", data: "", mimeType: "image/png" } as const;
    await expect(session.prompt([image]).text()).rejects.toMatchObject({ name: "CapabilityError" });
  });

  test("the updates can be read once, in one of the ways", async () => {
    const turn = await prompted({ agent: plays([chunk("a")]) });
    await turn.text();
    await expect(turn.text()).rejects.toThrow("can be read only once");
  });
});

describe("iterating a turn", () => {
  test("throws at its end when the agent responded with an error, with the error of the result", async () => {
    const turn = await prompted({ agent: plays([chunk("a"), thought], refuses) });
    const { seen, error } = await read(turn);
    expect(seen).toEqual([chunk("a"), thought]);
    expect(error).toMatchObject({ code: -32603, message: "no model" });
    await expect(turn.result).rejects.toBe(error);
  });

  test("throws when the agent died", async () => {
    const script = await scripted({ agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})) });
    const session = await script.connection.newSession({ cwd: "/" });
    const turn = session.prompt("Go");
    const reading = read(turn);
    await script.peer().notify("session/update", { sessionId: "s1", update: chunk("a") });
    script.die();
    const { error } = await reading;
    expect(isConnectionError(error)).toBe(true);
    await expect(turn.result).rejects.toBe(error);
  });

  test("throws when a deadline of the turn has passed", async () => {
    const { connection } = await scripted({
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    const session = await connection.newSession({ cwd: "/" });
    const turn = session.prompt("Go", { cancelTimeoutMs: 1 });
    turn.cancel();
    expect((await read(turn)).error).toMatchObject({ code: "timeout" });
  });

  test("ends without an error for a cancelled turn, and for one that is removed from the queue", async () => {
    const cancelled = await prompted({ agent: plays([], () => ({ stopReason: "cancelled" })) });
    expect(await read(cancelled)).toEqual({ seen: [], error: undefined });
    const { connection } = await scripted({
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    const session = await connection.newSession({ cwd: "/" });
    session.prompt("first");
    const second = session.prompt("second");
    expect(second.remove()).toBe(true);
    expect(await read(second)).toEqual({ seen: [], error: undefined });
  });

  test("that is left early throws nothing, also when the turn fails later", async () => {
    const turn = await prompted({ agent: plays([chunk("a"), chunk("b")], refuses) });
    for await (const update of turn) {
      expect(update).toEqual(chunk("a"));
      break;
    }
    await expect(turn.result).rejects.toThrow("no model");
  });
});
