import { type LinkedTransport, linkedTransports, Peer, type V1AgentCalls, v1Agent } from "@acp-kit/protocol";
import type { AgentCapabilities, SessionUpdate } from "@acp-kit/types";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentConnection } from "./agent-connection.js";
import type { AgentSource } from "./agent-link.js";
import { connectAgent } from "./connect-agent.js";

/** An agent that can be started again and again. `lives` contains the messages that each process received. */
class Mortal implements AgentSource {
  readonly lives: { readonly received: string[]; readonly wire: LinkedTransport; readonly peer: Peer<V1AgentCalls> }[] =
    [];
  readonly #capabilities: AgentCapabilities;
  closed = false;
  /** The response to a prompt; by default none. */
  prompt: () => Promise<{ stopReason: "end_turn" }> = () => new Promise(() => {});

  constructor(capabilities: AgentCapabilities) {
    this.#capabilities = capabilities;
  }

  async open(): Promise<LinkedTransport> {
    const [agentSide, clientSide] = linkedTransports();
    const received: string[] = [];
    const peer: Peer<V1AgentCalls> = new Peer(agentSide, v1Agent, {
      tap({ direction, message }) {
        if (direction === "received") received.push((message as { method?: string }).method ?? "response");
      },
    });
    peer.handle("initialize", ({ clientCapabilities }) => {
      peer.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
      return { protocolVersion: 1, agentCapabilities: this.#capabilities };
    });
    peer.handle("session/new", () => ({ sessionId: "s1", modes }));
    peer.handle("session/resume", () => ({}));
    peer.handle("session/load", () => {
      peer.notify("session/update", { sessionId: "s1", update: chunk("history") });
      return {};
    });
    peer.handle("session/prompt", () => this.prompt());
    peer.connection.listen();
    this.lives.push({ received, wire: agentSide, peer });
    return clientSide;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  die(): void {
    this.lives.at(-1)?.wire.break(new Error("killed by SIGKILL"));
  }
}

const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
const modes = { currentModeId: "m", availableModes: ["m", "n"].map((id) => ({ id, name: id })) };
const resume: AgentCapabilities = { sessionCapabilities: { resume: {} } };

const open: AgentConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

async function connect(capabilities: AgentCapabilities): Promise<{ agent: Mortal; connection: AgentConnection }> {
  const agent = new Mortal(capabilities);
  const connection = await connectAgent(agent);
  open.push(connection);
  return { agent, connection };
}

describe("an agent that dies and can be started again", () => {
  test("the interrupted turn rejects with the reason, and its prompt is not sent again", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    const turn = session.prompt("one");
    await vi.waitFor(() => expect(agent.lives[0]?.received).toContain("session/prompt"));
    agent.die();
    await expect(turn.result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "transport_failed",
      cause: { message: "killed by SIGKILL" },
    });
    expect(connection.state).toBe("disconnected");

    agent.prompt = async () => ({ stopReason: "end_turn" });
    expect(await session.prompt("two").result).toEqual({ stopReason: "end_turn" });
    expect(connection.state).toBe("initialized");
    expect(agent.lives[1]?.received).toEqual(["initialize", "session/resume", "session/prompt"]);
  });

  test("queued prompts, which were never sent, go to the new agent", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    const first = session.prompt("one");
    const second = session.prompt("two");
    await vi.waitFor(() => expect(agent.lives[0]?.received).toContain("session/prompt"));
    agent.prompt = async () => ({ stopReason: "end_turn" });
    agent.die();
    await expect(first.result).rejects.toMatchObject({ name: "ConnectionError" });
    expect(await second.result).toEqual({ stopReason: "end_turn" });
  });

  test("listeners don't receive the history again from an agent that can only load", async () => {
    const { agent, connection } = await connect({ loadSession: true });
    const session = await connection.newSession({ cwd: "/work" });
    const delivered: unknown[] = [];
    session.onUpdate((update) => void delivered.push(update));
    agent.die();
    agent.prompt = async () => {
      agent.lives[1]?.peer.notify("session/update", { sessionId: "s1", update: chunk("live") });
      return { stopReason: "end_turn" };
    };
    await session.prompt("go").result;
    expect(agent.lives[1]?.received).toEqual(["initialize", "session/load", "session/prompt"]);
    expect(delivered).toEqual([chunk("live")]);
  });

  test("an agent that can neither resume nor load has lost the session, but accepts new sessions", async () => {
    const { agent, connection } = await connect({});
    const session = await connection.newSession({ cwd: "/work" });
    agent.die();
    await expect(session.prompt("go").result).rejects.toMatchObject({ name: "SessionLostError", sessionId: "s1" });
    await expect(connection.newSession({ cwd: "/work" })).resolves.toBeDefined();
    expect(agent.lives).toHaveLength(2);
  });

  test("several calls at once start the agent once, and open each session once", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    agent.die();
    agent.prompt = async () => ({ stopReason: "end_turn" });
    await Promise.all([
      session.options.set("mode", "m").catch(() => {}),
      session.prompt("go").result,
      session.options.set("mode", "n").catch(() => {}),
    ]);
    expect(agent.lives).toHaveLength(2);
    expect(agent.lives[1]?.received.filter((method) => method === "session/resume")).toHaveLength(1);
  });

  test("a prompt that is cancelled while the agent starts is never sent", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    agent.die();
    const turn = session.prompt("go");
    turn.cancel();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(agent.lives[1]?.received).toContain("session/resume"));
    await connection.newSession({ cwd: "/work" });
    expect(agent.lives[1]?.received).not.toContain("session/prompt");
  });

  test("a start that fails rejects the call that needed it; the next call tries again", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    agent.die();
    const start = vi.spyOn(agent, "open").mockRejectedValueOnce(new Error("restart budget"));
    await expect(session.prompt("go").result).rejects.toThrow("restart budget");
    agent.prompt = async () => ({ stopReason: "end_turn" });
    expect(await session.prompt("go").result).toEqual({ stopReason: "end_turn" });
    expect(start).toHaveBeenCalledTimes(2);
  });

  test("closing ends the source, and starts no further agent", async () => {
    const { agent, connection } = await connect(resume);
    const session = await connection.newSession({ cwd: "/work" });
    agent.die();
    await connection.close();
    expect(agent.closed).toBe(true);
    expect(await connection.closed).toMatchObject({ name: "ConnectionError" });
    expect(connection.state).toBe("closed");
    await expect(session.prompt("go").result).rejects.toMatchObject({ name: "ConnectionError" });
    expect(agent.lives).toHaveLength(1);
  });

  test("closing resolves although the source throws", async () => {
    const [agentSide, clientSide] = linkedTransports();
    const peer = new Peer(agentSide, v1Agent);
    peer.handle("initialize", () => ({ protocolVersion: 1 }));
    peer.connection.listen();
    const connection = await connectAgent({
      open: async () => clientSide,
      close() {
        throw new Error("broken");
      },
    });
    await connection.close();
    expect(await connection.closed).toMatchObject({ name: "ConnectionError", code: "closed" });
  });
});
