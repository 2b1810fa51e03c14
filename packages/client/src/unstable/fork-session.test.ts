import { CapabilityError, InvalidOptionError, RpcError } from "@acp-kit/protocol";
import { expect, test } from "vitest";
import { type AgentPeer, chunk, type Script, scripted } from "../../test/scripted-agent.js";
import { forkSession } from "./fork-session.js";

const forks: Script = {
  answer: { agentCapabilities: { sessionCapabilities: { fork: {} } as object } },
  agent(peer: AgentPeer) {
    peer.handle(
      "session/fork" as never,
      (async () => {
        await peer.notify("session/update", { sessionId: "s2", update: chunk("history") });
        return { sessionId: "s2" };
      }) as never,
    );
    peer.handle("session/prompt", () => ({ stopReason: "end_turn" }));
  },
};

test("a fork is a session of its own, with its own setup", async () => {
  const { connection, received } = await scripted(forks);
  const session = await connection.newSession({ cwd: "/" });
  const seen: string[] = [];
  const fork = await forkSession(
    connection,
    { sessionId: session.sessionId, cwd: "/work", meta: { a: 1 } },
    { onUpdate: ({ sessionUpdate }) => seen.push(sessionUpdate) },
  );
  expect(fork.sessionId).toBe("s2");
  expect(fork.roots).toEqual(["/work"]);
  expect(connection.sessions).toEqual([session, fork]);
  expect(seen).toEqual(["agent_message_chunk"]);
  const params = { sessionId: "s1", cwd: "/work", mcpServers: [], _meta: { a: 1 } };
  expect(received.at(-1)).toEqual({ method: "session/fork", params });
  await expect(fork.prompt("Hi").result).resolves.toEqual({ stopReason: "end_turn" });
});

test.each([
  ["session/resume", { sessionCapabilities: { fork: {}, resume: {} } as object }],
  ["session/load", { loadSession: true, sessionCapabilities: { fork: {} } as object }],
] as const)(
  "a fork whose first prompt gets -32002 is opened once with %s, and the prompt is sent again",
  async (method, agentCapabilities) => {
    let known = false;
    const { connection, methods } = await scripted({
      answer: { agentCapabilities },
      agent(peer: AgentPeer) {
        peer.handle("session/fork" as never, (async () => ({ sessionId: "s2" })) as never);
        peer.handle(method, () => {
          known = true;
          return {};
        });
        peer.handle("session/prompt", () => {
          if (!known) throw new RpcError(-32002, "Session not found");
          return { stopReason: "end_turn" };
        });
      },
    });
    const fork = await forkSession(connection, { sessionId: "s1", cwd: "/work" });
    await expect(fork.prompt("Hi").result).resolves.toEqual({ stopReason: "end_turn" });
    expect(methods()).toEqual(["initialize", "session/fork", "session/prompt", method, "session/prompt"]);
    expect(fork.transcript.snapshot.entries.filter(({ type }) => type === "user_message")).toHaveLength(1);
    known = false;
    await expect(fork.prompt("Again").result).rejects.toMatchObject({ code: -32002 });
    expect(methods().filter((each) => each === method)).toHaveLength(1);
  },
);

test("an agent that did not advertise forks gets no request", async () => {
  const { connection, methods } = await scripted();
  const refused = forkSession(connection, { sessionId: "s1", cwd: "/" });
  await expect(refused).rejects.toThrow(CapabilityError);
  await expect(forkSession(connection, { sessionId: "s1", cwd: "/", cwdd: 1 } as never)).rejects.toThrow(
    InvalidOptionError,
  );
  expect(methods()).toEqual(["initialize"]);
});
