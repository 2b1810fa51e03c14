import { CapabilityError, InvalidOptionError } from "@acp-kit/protocol";
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

test("an agent that did not advertise forks gets no request", async () => {
  const { connection, methods } = await scripted();
  const refused = forkSession(connection, { sessionId: "s1", cwd: "/" });
  await expect(refused).rejects.toThrow(CapabilityError);
  await expect(forkSession(connection, { sessionId: "s1", cwd: "/", cwdd: 1 } as never)).rejects.toThrow(
    InvalidOptionError,
  );
  expect(methods()).toEqual(["initialize"]);
});
